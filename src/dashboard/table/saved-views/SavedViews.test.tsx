// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { connection, findButton, render, stubService, waitFor } from '../../../testing/render'
import { ConnectionProvider } from '../../client/connection-context'
import { pause } from '../../client/pause'
import { SavedViews } from './SavedViews'

afterEach(() => {
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

test.each([
  ['that has views offers them', 200, 'Views'],
  ['whose views could not be read has the button all the same, and it says so', 500, 'Views: they could not be read'],
  ['without views has no button', 404, undefined],
])('a service %s', async (_, status, name) => {
  const requests = stubService({ '/views/query': () => Response.json({ views: [] }, { status }) })
  const { host } = await render(<SavedViews page="costs" paramNames={[]} />)
  await waitFor(() => expect(requests).toHaveLength(1))
  // Nothing on screen tells when the response of a service without views has arrived.
  await act(async () => pause(20))
  await waitFor(() => {
    if (name === undefined) expect(host.textContent).toBe('')
    else expect(findButton(host, name)).toBeDefined()
  })
})

test.each([
  ['answers unknown paths with a page', new Response('<h1>Error</h1>', { status: 500 }), false],
  ['has the form of Spool', Response.json({ detail: [{ loc: [], msg: 'Full.', type: 'full' }] }, { status: 500 }), true],
])('a service of another origin that %s', async (_, response, isShown) => {
  const baseUrl = 'https://trace.example'
  const requests = stubService({ [`${baseUrl}/views/query`]: () => response })
  const { host } = await render(
    <ConnectionProvider connection={{ ...connection, baseUrl, password: 'secret' }}>
      <SavedViews page="costs" paramNames={[]} />
    </ConnectionProvider>,
  )
  await waitFor(() => expect(requests).toHaveLength(1))
  await act(async () => pause(20))
  await waitFor(() => expect(findButton(host, 'Views: they could not be read') !== undefined).toBe(isShown))
})
