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

const noTurns = {
  thread_count: 0,
  turn_count: 0,
  finished_turn_count: 0,
  p50_turn_duration_ms: null,
  p99_turn_duration_ms: null,
  starts: [],
  durations: [],
  threads: [],
}

function overview(search: string, { isOpen = true, areRowsComing = false } = {}) {
  const view = parseView(overviewParams, search)
  const props = { view, setView: () => undefined, filter: {}, toThreadHref: (id: string) => id, areRowsComing }
  return <ThreadOverview {...props} isOpen={isOpen} onToggle={() => undefined} />
}

test('a folded overview asks nothing', async () => {
  const requests = stubService({})
  const { host, unmount } = await render(overview('', { isOpen: false }))
  expect(host.querySelector('button')?.getAttribute('aria-expanded')).toBe('false')
  expect(requests).toEqual([])
  await unmount()
})

test.each([
  ['', '/threads/shape'],
  ['show=history', '/threads/history'],
])('a service without the operation of "%s" is said to have no %s', async (search, path) => {
  const requests = stubService({})
  const { host, unmount } = await render(overview(search))
  await waitFor(() => expect(host.textContent).toContain(`it has no ${path}, which is a Spool extension.`))
  expect(requests.map((request) => request.path)).toEqual([path])
  await unmount()
})

test('charts are asked for after the rows, and not again when the rows are read anew', async () => {
  const requests = stubService({ '/threads/shape': () => Response.json(noTurns) })
  const { host, rerender, unmount } = await render(overview('', { areRowsComing: true }))
  expect(host.querySelector('.thread-chart')).not.toBeNull()
  expect(requests).toEqual([])
  await rerender(overview(''))
  await waitFor(() => expect(host.textContent).toContain('No finished turn.'))
  await rerender(overview('', { areRowsComing: true }))
  await rerender(overview(''))
  expect(requests).toHaveLength(1)
  await unmount()
})

test('a project without turns has no chart', async () => {
  stubService({ '/threads/shape': () => Response.json(noTurns) })
  const { host, unmount } = await render(overview(''))
  await waitFor(() => expect(host.textContent).toContain('No finished turn.'))
  await unmount()
})
