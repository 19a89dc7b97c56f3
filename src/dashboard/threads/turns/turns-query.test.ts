import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import type { Connection } from '../../client/connection'
import type { Turn } from '../../../contract/turns'
import { TurnsUnavailableError, turnsQuery } from './turns-query'

const own: Connection = { id: 'own', name: 'own', baseUrl: '', username: '', password: '', projectId: 'acme/support' }
const foreign: Connection = { ...own, id: 'foreign', baseUrl: 'http://127.0.0.1:9', username: 'api', password: 'secret' }

const turn: Turn = {
  id: 'turn-1',
  trace_id: 'trace-1',
  name: 'answer',
  first_words: 'Hello',
  started_at: '2026-01-01T00:00:00Z',
  ended_at: '2026-01-01T00:00:01.000250Z',
  duration_ms: 1000.25,
  status: 'success',
  call_count: 2,
  models: ['m'],
  prompt_tokens: 10,
  completion_tokens: 1,
  costs: [{ currency: 'USD', total: '0.1' }],
  unpriced_call_count: 0,
}
const call = (id: string, turnId: string, more: object = {}) => ({
  id,
  turn_id: turnId,
  trace_id: 'trace-1',
  op_name: 'weave:///acme/support/op/answer:v1',
  started_at: '2026-01-01T00:00:00Z',
  ended_at: '2026-01-01T00:00:01.000250Z',
  ...more,
})

/** A service that answers these paths; anything else it does not know. */
function respond(answers: Readonly<Record<string, { status?: number; lines?: readonly unknown[]; body?: string }>>) {
  const requests: { path: string; body: unknown }[] = []
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
    const path = url.replace(/^http:\/\/[^/]+/, '')
    requests.push({ path, body: JSON.parse(body) })
    const { status = 404, lines = [], body: text } = answers[path] ?? {}
    const content = text ?? lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    return new Response(content, { status, headers: { 'content-type': text ? 'text/html' : 'application/jsonl' } })
  })
  return requests
}
afterEach(() => vi.unstubAllGlobals())

const read = (connection: Connection) => new QueryClient().fetchQuery(turnsQuery('ticket-1', connection))

test('a Spool lists the turns of a thread', async () => {
  const requests = respond({ '/threads/turns': { status: 200, lines: [turn] } })
  const { rows, isComplete } = await read(own)
  expect(rows).toMatchObject([{ id: 'turn-1', firstWords: 'Hello', durationMs: 1000.25, tokens: { prompt: 10, completion: 1 } }])
  expect(isComplete).toBe(true)
  expect(requests.map(({ path }) => path)).toEqual(['/threads/turns'])
})

test('elsewhere a turn is a call whose id is its turn; what the calls below spent stays unknown', async () => {
  const lines = [
    call('turn-1', 'turn-1', { summary: { usage: { 'gpt-4o': { prompt_tokens: 5 } }, weave: { status: 'descendant_error' } } }),
    call('model', 'turn-1'),
    call('turn-2', 'turn-2', { ended_at: null, display_name: 'Answer', summary: 'nonsense' }),
    call('turn-3', 'turn-3', { exception: 'Boom', started_at: '2026-01-01T00:00:05Z' }),
  ]
  const requests = respond({ '/calls/stream_query': { status: 200, lines } })
  const { rows, isComplete } = await read(foreign)
  expect(isComplete).toBe(true)
  const figures = rows.map(({ id, name, durationMs, status, models, tokens, costs }) => [
    id,
    name,
    durationMs,
    status,
    models,
    tokens,
    costs,
  ])
  expect(figures).toEqual([
    ['turn-1', 'answer', 1000.25, 'descendant_error', ['gpt-4o'], null, null],
    ['turn-2', 'Answer', null, 'running', [], null, null],
    ['turn-3', 'answer', 0, 'error', [], null, null],
  ])
  expect(requests[1]).toMatchObject({ path: '/calls/stream_query', body: { filter: { thread_ids: ['ticket-1'] } } })
})

test.each([404, 405, 501])('a service that answers %d to both lists no turns', async (status) => {
  respond({ '/threads/turns': { status }, '/calls/stream_query': { status } })
  await expect(read(foreign)).rejects.toBeInstanceOf(TurnsUnavailableError)
  await expect(read(own)).rejects.toBeInstanceOf(TurnsUnavailableError)
})

test('a page of HTML is no list', async () => {
  const html = { status: 200, body: '<!doctype html>\n<title>Console</title>\n' }
  respond({ '/threads/turns': html, '/calls/stream_query': html })
  await expect(read(foreign)).rejects.toBeInstanceOf(TurnsUnavailableError)
})

test('a failure is told as it is: of a Spool at once, of another service where the calls fail too', async () => {
  const requests = respond({ '/threads/turns': { status: 500 }, '/calls/stream_query': { status: 403 } })
  await expect(read(own)).rejects.toMatchObject({ status: 500 })
  expect(requests).toHaveLength(1)
  await expect(read(foreign)).rejects.toMatchObject({ status: 403 })
})

test('a service that never answers is not waited for', async () => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'fetch',
    (_: string, { signal }: { signal: AbortSignal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
  )
  const reading = expect(read(foreign)).rejects.toBeInstanceOf(TurnsUnavailableError)
  await vi.advanceTimersByTimeAsync(25_000)
  await reading
  vi.useRealTimers()
})
