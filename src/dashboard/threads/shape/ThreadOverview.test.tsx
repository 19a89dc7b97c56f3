// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PreferencesProvider } from '../../format/preferences'
import { parseView } from '../../table/view/url-params'
import { click, findButton, jsonLines, render, stubService, waitFor } from '../../../testing/render'
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

const day = { interval: '2026-11-20T00:00:00Z', interval_end: '2026-11-21T00:00:00Z' }
const oneTurn = {
  ...day,
  thread_count: 1,
  turn_count: 1,
  finished_turn_count: 1,
  p50_turn_duration_ms: 5,
  p99_turn_duration_ms: 5,
}

test('compared windows say their bounds with the time zone, and what the p99 of one turn is', async () => {
  stubService({ '/threads/history': () => jsonLines([oneTurn]) })
  const { host, unmount } = await render(
    <PreferencesProvider preferences={{ zone: 'utc', density: 'regular' }}>
      {overview('show=history&split=2026-11-20T00:00:00Z')}
    </PreferencesProvider>,
  )
  await waitFor(() => expect(host.textContent).toContain('After: 1 finished turn, from 2026-11-20 00:00 UTC on.'))
  expect(host.textContent).toContain('Before: 1 finished turn, from the first turn to 2026-11-20 00:00 UTC.')
  expect(host.textContent).toContain('Too few for a p99: it is that turn.')
  await unmount()
})

test.each(['', 'show=history'])('the heads of the table of "%s" begin with a capital', async (search) => {
  stubService({
    '/threads/history': () => jsonLines([oneTurn]),
    '/threads/shape': () => Response.json({ ...noTurns, starts: [oneTurn] }),
  })
  const { host, unmount } = await render(overview(search))
  await waitFor(() => expect(host.querySelector('.plot')).not.toBeNull())
  await click(findButton(host, 'As a table'))
  expect(host.querySelector('.chart-table th')?.textContent).toBe('Day')
  await unmount()
})
