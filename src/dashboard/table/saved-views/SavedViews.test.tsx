// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { findButton, render, stubService, waitFor } from '../../../testing/render'
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
  await waitFor(() => {
    expect(requests).toHaveLength(1)
    if (name === undefined) expect(host.textContent).toBe('')
    else expect(findButton(host, name)).toBeDefined()
  })
})
