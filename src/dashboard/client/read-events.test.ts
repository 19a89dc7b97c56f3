import { afterEach, expect, test, vi } from 'vitest'
import { readEvents } from './read-events'

afterEach(() => vi.unstubAllGlobals())

const connection = { id: '', name: '', baseUrl: 'http://127.0.0.1:1', username: 'kim', password: 'pw', projectId: 'a/b' }

/** What is reported of a stream that comes in these pieces. */
async function read(pieces: readonly string[], lastEventId?: string) {
  const fetched = vi.fn<typeof fetch>(async () => new Response(new Blob([...pieces]).stream()))
  vi.stubGlobal('fetch', fetched)
  const events: [string, string | undefined][] = []
  const { signal } = new AbortController()
  await readEvents({ connection, signal, lastEventId, onEvent: (event, id) => events.push([event, id]) })
  const [url, init] = fetched.mock.calls[0] ?? []
  return { events, url, headers: new Headers(init?.headers) }
}

test('events are reported with the last id, comments and unknown events are not', async () => {
  const { events, url, headers } = await read([
    'retry: 3000\n\nid: 1.2.3\nevent: ready\ndata: {}\n\n:\n\nevent: thr',
    'eads\ndata: {}\n\nid: 2.2.3\nevent: costs\ndata: {}\n\nevent: unheard\ndata: {}\n\n',
  ])
  expect(events).toEqual([
    ['ready', '1.2.3'],
    ['threads', '1.2.3'],
    ['costs', '2.2.3'],
  ])
  expect(url).toBe('http://127.0.0.1:1/events?project_id=a%2Fb')
  expect([headers.get('authorization'), headers.get('last-event-id')]).toEqual([`Basic ${btoa('kim:pw')}`, null])
})

test('a stream that goes on after another one names its last id', async () => {
  const { events, headers } = await read(['event: ready\ndata: {}\n\n'], '1.2.3')
  expect(headers.get('last-event-id')).toBe('1.2.3')
  expect(events).toEqual([['ready', '1.2.3']])
})
