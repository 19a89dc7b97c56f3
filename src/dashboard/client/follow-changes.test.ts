// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followChanges } from './follow-changes'

let stopping = new AbortController()
beforeEach(() => {
  vi.useFakeTimers()
  stopping = new AbortController()
})
afterEach(() => {
  stopping.abort()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const connection = { id: '', name: '', baseUrl: 'http://127.0.0.1:1', username: 'kim', password: 'pw', projectId: 'a/b' }
const streamOf = (text: string) => new Response(new Blob([text]).stream())

/** Follows the threads of a service that responds so, one response after the other. */
function follow(responses: readonly (() => Response)[]) {
  const requests: (string | null)[] = []
  vi.stubGlobal('fetch', async (_: unknown, init?: RequestInit) => {
    requests.push(new Headers(init?.headers).get('last-event-id'))
    const respond = responses[requests.length - 1]
    return respond ? respond() : new Promise<Response>(() => {})
  })
  const told = { requests, changes: 0, states: [] as boolean[] }
  void followChanges({
    connection,
    topic: 'threads',
    signal: stopping.signal,
    onChange: () => (told.changes += 1),
    onState: (isLive) => told.states.push(isLive),
  })
  return told
}

test('what was written before the first event is asked for, then what an event is about, and after a break what was missed', async () => {
  const told = follow([
    () => streamOf('id: 1\nevent: ready\ndata: {}\n\nevent: queues\ndata: {}\n\nid: 2\nevent: threads\ndata: {}\n\n'),
    () => streamOf('id: 3\nevent: ready\ndata: {}\n\n'),
  ])
  await vi.advanceTimersByTimeAsync(500)
  expect([told.changes, told.states]).toEqual([2, [true]])
  await vi.advanceTimersByTimeAsync(3000)
  expect(told.requests).toEqual([null, '2', '3'])
  expect(told.changes).toBe(2)
})

test('while the service cannot be listened to, it is asked every ten seconds', async () => {
  const fail = () => {
    throw new TypeError('no connection')
  }
  const told = follow([fail, fail])
  await vi.advanceTimersByTimeAsync(9000)
  expect([told.changes, told.states]).toEqual([0, [false]])
  await vi.advanceTimersByTimeAsync(12_000)
  expect(told.changes).toBe(2)
  stopping.abort()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(told.changes).toBe(2)
})
