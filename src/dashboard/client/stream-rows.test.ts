import { afterEach, expect, test, vi } from 'vitest'
import { streamThreads } from '../../contract/threads'
import { StreamInterruptedError, ResponseSchemaError, ValidationError, UnreachableError } from './api-error'
import type { Connection } from './connection'
import { streamRows } from './stream-rows'

const connection: Connection = { id: 'a', name: 'a', baseUrl: '', username: 'ann', password: 'secret', projectId: 'e/p' }

const thread = (id: string) => ({
  thread_id: id,
  turn_count: 1,
  start_time: '2026-01-01T00:00:00Z',
  last_updated: '2026-01-01T00:00:01Z',
  first_turn_id: null,
  last_turn_id: null,
  p50_turn_duration_ms: 1.5,
  p99_turn_duration_ms: null,
})
const lineOf = (id: string) => `${JSON.stringify(thread(id))}\n`

/** Responds with one chunk for each part; an Error closes the connection at its place. */
function respondWith(parts: (string | Uint8Array | Error)[], contentType = 'application/jsonl') {
  const remaining = [...parts]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = remaining.shift()
      if (part === undefined) controller.close()
      else if (part instanceof Error) controller.error(part)
      else controller.enqueue(typeof part === 'string' ? new TextEncoder().encode(part) : part)
    },
  })
  const fetch = vi.fn(async () => new Response(body, { headers: { 'content-type': contentType } }))
  vi.stubGlobal('fetch', fetch)
  return fetch
}

async function read(input: object = { project_id: 'e/p' }, signal?: AbortSignal) {
  const rows: string[] = []
  const broken: { line: number; reason: string }[] = []
  let error: unknown
  try {
    for await (const batch of streamRows(streamThreads, input as { project_id: string }, { connection, signal })) {
      rows.push(...batch.rows.map((row) => row.thread_id))
      broken.push(...batch.brokenLines)
    }
  } catch (caught) {
    error = caught
  }
  return { rows, broken, error }
}

afterEach(() => vi.unstubAllGlobals())

test('the rows of a stream arrive in batches', async () => {
  respondWith([lineOf('a'), lineOf('b')])
  expect(await read()).toEqual({ rows: ['a', 'b'], broken: [], error: undefined })
})

test('lines become rows, even if chunks split lines and characters', async () => {
  const bytes = new TextEncoder().encode(lineOf('späti 日本') + lineOf('b'))
  respondWith(Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)))
  expect(await read()).toEqual({ rows: ['späti 日本', 'b'], broken: [], error: undefined })
})

test('a broken line is reported with its number, and the other rows are kept', async () => {
  respondWith([lineOf('a'), '{"thread_id": \n', lineOf('b'), '\n', '{"thread_id":"no figures"}\n', lineOf('c')])
  const { rows, broken, error } = await read()
  expect(rows).toEqual(['a', 'b', 'c'])
  expect(broken.map(({ line }) => line)).toEqual([2, 5])
  expect(error).toBeUndefined()
})

test('two halves of a row on two lines are two broken lines, not one row', async () => {
  respondWith([`${lineOf('a')}{"thread_id":"x"\n"turn_count":1}\n`])
  expect((await read()).broken.map(({ line }) => line)).toEqual([2, 3])
})

test('an interrupted connection keeps the received rows and throws', async () => {
  respondWith([lineOf('a'), new TypeError('network error')])
  const { rows, error } = await read()
  expect(rows).toEqual(['a'])
  expect(error).toBeInstanceOf(StreamInterruptedError)
})

test('an end in the middle of a line counts as an interrupted stream', async () => {
  respondWith([lineOf('a'), lineOf('b').slice(0, 20)])
  const { rows, error } = await read()
  expect(rows).toEqual(['a'])
  expect(error).toBeInstanceOf(StreamInterruptedError)
})

test('a complete last line without a newline counts', async () => {
  respondWith([lineOf('a'), lineOf('b').trimEnd()])
  expect(await read()).toEqual({ rows: ['a', 'b'], broken: [], error: undefined })
})

test.each([
  ['a JSON array', JSON.stringify([thread('a'), thread('b')]), 'application/json'],
  ['an object with the list', JSON.stringify({ threads: [thread('a'), thread('b')] }), 'application/json'],
  ['an array without its content type', JSON.stringify([thread('a'), thread('b')], null, 2), 'text/plain'],
  ['JSON lines called JSON', lineOf('a') + lineOf('b'), 'application/json'],
  ['x-ndjson', lineOf('a') + lineOf('b'), 'application/x-ndjson'],
])('%s is read', async (_, text, contentType) => {
  respondWith([text.slice(0, 50), text.slice(50)], contentType)
  expect(await read()).toEqual({ rows: ['a', 'b'], broken: [], error: undefined })
})

test('an empty body is a complete response without rows', async () => {
  respondWith([])
  expect(await read()).toEqual({ rows: [], broken: [], error: undefined })
})

test.each([
  ['an HTML page', '<!doctype html>\n<title>Sign in</title>\n<p>Accept the terms.</p>', 'text/html'],
  ['one that ends in a newline', '\n<!doctype html>\n<title>Sign in</title>\n', 'text/html'],
  ['one that is called JSON', '<!doctype html>', 'application/json'],
  ['text', 'Sign in to this network first.', 'text/plain'],
])('%s is not said to be interrupted', async (_, text, contentType) => {
  respondWith([text], contentType)
  const { rows, broken, error } = await read()
  expect({ rows, broken }).toEqual({ rows: [], broken: [] })
  expect(error).toBeInstanceOf(ResponseSchemaError)
  expect(String(error)).toContain('The response does not have the expected form: it is not JSON.')
})

test('leaving the loop cancels the response', async () => {
  const cancel = vi.fn()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(lineOf('a'))),
    cancel,
  })
  vi.stubGlobal('fetch', async () => new Response(body))
  for await (const _ of streamRows(streamThreads, { project_id: 'e/p' }, { connection })) break
  expect(cancel).toHaveBeenCalled()
})

test('an invalid request is not sent', async () => {
  const fetch = respondWith([])
  expect((await read({ project_id: 'no slash' })).error).toBeInstanceOf(ValidationError)
  expect(fetch).not.toHaveBeenCalled()
})

test('without a response the error says unreachable and keeps the cause', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch')
  })
  const { error } = await read()
  expect(error).toBeInstanceOf(UnreachableError)
  expect(error instanceof UnreachableError && error.details).toContain('Failed to fetch')
})
