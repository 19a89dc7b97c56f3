// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { parseView } from '../../table/view/url-params'
import { render, stubService, waitFor } from '../../../testing/render'
import { overviewParams } from './overview-params'
import { ThreadOverview } from './ThreadOverview'

beforeEach(() => {
  document.body.innerHTML = ''
})
afterEach(() => vi.unstubAllGlobals())

function overview(search: string, isOpen: boolean) {
  const view = parseView(overviewParams, search)
  const props = { view, setView: () => undefined, filter: {}, toThreadHref: (id: string) => id }
  return <ThreadOverview {...props} isOpen={isOpen} onToggle={() => undefined} />
}

test('a folded overview asks nothing', async () => {
  const requests = stubService({})
  const { host, unmount } = await render(overview('', false))
  expect(host.querySelector('button')?.getAttribute('aria-expanded')).toBe('false')
  expect(requests).toEqual([])
  await unmount()
})

test.each([
  ['', '/threads/shape'],
  ['show=history', '/threads/history'],
])('a service without the operation of "%s" is said to have no %s', async (search, path) => {
  const requests = stubService({})
  const { host, unmount } = await render(overview(search, true))
  await waitFor(() => expect(host.textContent).toContain(`it has no ${path}, which is a Spool extension.`))
  expect(requests.map((request) => request.path)).toEqual([path])
  await unmount()
})

test('a project without turns has no chart', async () => {
  const shape = { thread_count: 0, turn_count: 0, finished_turn_count: 0, starts: [], durations: [], threads: [] }
  stubService({
    '/threads/shape': () => Response.json({ ...shape, p50_turn_duration_ms: null, p99_turn_duration_ms: null }),
  })
  const { host, unmount } = await render(overview('', true))
  await waitFor(() => expect(host.textContent).toContain('No finished turn.'))
  await unmount()
})
