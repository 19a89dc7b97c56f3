import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../../contract/calls'
import type { Thread } from '../../../contract/threads'
import { openTestApp, parseJsonLines, reviewer, type TestApp } from '../../testing/test-app'

let service: TestApp

beforeAll(async () => {
  service = await openTestApp()
})
afterAll(() => service.close())

const toCallId = (number: number) => number.toString(16).padStart(16, '0')
const toTraceId = (number: number) => number.toString(16).padStart(32, '0')

type Part = { id: number; parent?: number; trace?: number; thread?: string; hasEnd?: boolean }

/** Calls with an end one second after their start. `id` counts the seconds of their start too; those with a thread are turns. */
async function send(projectId: string, ...parts: Part[]): Promise<void> {
  const batch = parts.flatMap((part) =>
    part.hasEnd === false ? [toStart(projectId, part)] : [toStart(projectId, part), toEnd(projectId, part)],
  )
  expect((await service.post('/call/upsert_batch', { batch })).status).toBe(200)
}

function toStart(projectId: string, { id, parent, trace = 1, thread }: Part) {
  const start = {
    project_id: projectId,
    id: toCallId(id),
    trace_id: toTraceId(trace),
    parent_id: parent === undefined ? null : toCallId(parent),
    thread_id: thread,
    turn_id: thread === undefined ? null : toCallId(id),
    op_name: 'answer',
    started_at: new Date(1_790_000_000_000 + id * 1000).toISOString(),
    attributes: {},
    inputs: {},
  }
  return { mode: 'start', req: { start } }
}

function toEnd(projectId: string, { id }: Part) {
  const usage = { 'gpt-4o': { prompt_tokens: 10, completion_tokens: 1 } }
  const ended_at = new Date(1_790_000_001_000 + id * 1000).toISOString()
  return { mode: 'end', req: { end: { project_id: projectId, id: toCallId(id), ended_at, output: id, summary: { usage } } } }
}

async function remove(projectId: string, ...ids: number[]): Promise<number> {
  const response = await service.post('/calls/delete', { project_id: projectId, call_ids: ids.map(toCallId) })
  const body = (await response.json()) as { num_deleted: number } // the service validates its responses by the contract
  expect(response.status, JSON.stringify(body)).toBe(200)
  return body.num_deleted
}

async function readIds(projectId: string, more: object = {}): Promise<number[]> {
  const response = await service.post('/calls/stream_query', { project_id: projectId, ...more })
  const ids = (parseJsonLines(await response.text()) as Call[]).map(({ id }) => Number(`0x${id}`))
  const stats = await service.post('/calls/query_stats', { project_id: projectId, ...more })
  expect(await stats.json()).toEqual({ count: ids.length })
  return ids
}

async function readThreads(projectId: string): Promise<[string, number, string | null][]> {
  const response = await service.post('/threads/stream_query', {
    project_id: projectId,
    sort_by: [{ field: 'thread_id', direction: 'asc' }],
  })
  const threads = parseJsonLines(await response.text()) as Thread[]
  return threads.map((thread) => [thread.thread_id, thread.turn_count, thread.first_turn_id])
}

test('a call is deleted with all calls below it, and the number of deleted calls is returned', async () => {
  await send('tree/p', { id: 1 }, { id: 2, parent: 1 }, { id: 3, parent: 2 }, { id: 4, parent: 1 }, { id: 5, trace: 2 })
  expect(await remove('tree/p', 2)).toBe(2)
  expect(await readIds('tree/p')).toEqual([1, 4, 5])
  expect(await remove('tree/p', 1, 5)).toBe(3)
  expect(await readIds('tree/p')).toEqual([])
  expect(await (await service.post('/call/read', { project_id: 'tree/p', id: toCallId(1) })).json()).toEqual({ call: null })
})

test('calls that are deleted already, or unknown, are not counted', async () => {
  await send('again/p', { id: 1 }, { id: 2, parent: 1 })
  expect(await remove('again/p', 2, 77)).toBe(1)
  expect(await remove('again/p', 1, 1, 2)).toBe(1)
  expect(await remove('again/p', 1, 2)).toBe(0)
  expect(await remove('again/p')).toBe(0)
})

test('every way to find calls leaves deleted ones out', async () => {
  await send('find/p', ...Array.from({ length: 40 }, (_, index) => ({ id: index + 1, thread: 't' })))
  expect(await remove('find/p', ...Array.from({ length: 30 }, (_, index) => index + 11))).toBe(30)
  const newestFirst = [{ field: 'started_at', direction: 'desc' }]
  expect(await readIds('find/p')).toHaveLength(10)
  const page = await service.post('/calls/stream_query', { project_id: 'find/p', sort_by: newestFirst, limit: 3 })
  expect((parseJsonLines(await page.text()) as Call[]).map(({ id }) => id)).toEqual([10, 9, 8].map(toCallId))
  expect(await readIds('find/p', { filter: { call_ids: [toCallId(10), toCallId(11)] } })).toEqual([10])
  expect(await readIds('find/p', { filter: { trace_ids: [toTraceId(1)], op_names: ['answer'] } })).toHaveLength(10)
  expect(await readIds('find/p', { filter: { thread_ids: ['t'] } })).toHaveLength(10)
  expect(await readIds('find/p', { filter: { turn_ids: [toCallId(40)] } })).toEqual([])
  const query = { $expr: { $gt: [{ $getField: 'output' }, { $literal: 9 }] } }
  expect(await readIds('find/p', { query })).toEqual([10])
})

test('threads and their usage count without deleted calls, and a thread without turns is gone', async () => {
  await send('threads/p', { id: 1, thread: 'a' }, { id: 2, thread: 'a' }, { id: 3, thread: 'b' }, { id: 4, parent: 2 })
  expect(await readThreads('threads/p')).toEqual([
    ['a', 2, toCallId(1)],
    ['b', 1, toCallId(3)],
  ])
  await remove('threads/p', 1, 3)
  expect(await readThreads('threads/p')).toEqual([['a', 1, toCallId(2)]])
  const usage = await service.post('/threads/usage', { project_id: 'threads/p', thread_ids: ['a', 'b'] })
  expect(await usage.text()).toContain('"prompt_tokens":10')
  await remove('threads/p', 2)
  const nothing = await service.post('/threads/usage', { project_id: 'threads/p', thread_ids: ['a', 'b'] })
  expect(await nothing.text()).not.toContain('"prompt_tokens":10')
  expect(await readThreads('threads/p')).toEqual([])
})

test('parts that arrive after the deletion do not bring a call back, in any order', async () => {
  const part = { id: 1, thread: 'a' }
  await service.post('/call/upsert_batch', { batch: [toStart('late/p', part)] })
  expect(await remove('late/p', 1)).toBe(1)
  await service.post('/call/upsert_batch', { batch: [toEnd('late/p', part)] })
  // Nothing of the second call has arrived, and of the third one only the end.
  await service.post('/call/upsert_batch', { batch: [toEnd('late/p', { id: 3 })] })
  expect(await remove('late/p', 2, 3)).toBe(1)
  await send('late/p', part, { id: 2, thread: 'a' }, { id: 3, thread: 'a' }, { id: 4, thread: 'a' })
  expect(await readIds('late/p')).toEqual([4])
  expect(await readThreads('late/p')).toEqual([['a', 1, toCallId(4)]])
})

test('a new call below a deleted one is kept, and is deleted with it the next time', async () => {
  await send('below/p', { id: 1 })
  await remove('below/p', 1)
  await send('below/p', { id: 2, parent: 1 })
  expect(await readIds('below/p')).toEqual([2])
  expect(await remove('below/p', 1)).toBe(1)
  expect(await readIds('below/p')).toEqual([])
})

test('calls whose parents form a circle, and calls of another trace, end the search', async () => {
  await send('circle/p', { id: 1, parent: 2 }, { id: 2, parent: 1 }, { id: 3, parent: 3 }, { id: 4, parent: 1, trace: 2 })
  expect(await remove('circle/p', 1)).toBe(2)
  expect(await readIds('circle/p')).toEqual([3, 4])
})

test('deleted calls stay deleted after a restart', async () => {
  await send('restart/p', { id: 1, thread: 'a' }, { id: 2, thread: 'a' })
  await remove('restart/p', 1)
  expect(await readThreads('restart/p')).toEqual([['a', 1, toCallId(2)]])
  await service.restart()
  expect(await readIds('restart/p')).toEqual([2])
  expect(await readThreads('restart/p')).toEqual([['a', 1, toCallId(2)]])
})

test('feedback for a deleted call is not read any more', async () => {
  await send('notes/p', { id: 1 }, { id: 2, parent: 1 }, { id: 3 })
  for (const ref of [`call/${toCallId(1)}`, `call/${toCallId(2)}/output`, `call/${toCallId(3)}`, 'object/data:v1']) {
    const note = { project_id: 'notes/p', weave_ref: `weave:///notes/p/${ref}`, feedback_type: 'note', payload: { note: ref } }
    expect((await service.post('/feedback/create', note)).status).toBe(200)
  }
  await remove('notes/p', 1)
  const response = await service.post('/feedback/query', { project_id: 'notes/p', fields: ['payload'] })
  const { result } = (await response.json()) as { result: { payload: { note: string } }[] }
  expect(result.map(({ payload }) => payload.note).toSorted()).toEqual([`call/${toCallId(3)}`, 'object/data:v1'])
})

test('nobody deletes calls of another project', async () => {
  await send('acme/other', { id: 1 })
  await send('acme/support', { id: 1 })
  const request = { project_id: 'acme/other', call_ids: [toCallId(1)] }
  expect((await service.post('/calls/delete', request, reviewer)).status).toBe(403)
  expect(await remove('acme/support', 1)).toBe(1)
  expect(await readIds('acme/other')).toEqual([1])
})

test.each([
  ['a request without ids', {}, ['call_ids'], 'missing'],
  ['an id that no call can have', { call_ids: ['x'] }, ['call_ids', '0'], 'value_error'],
  [
    'a request for more than a thousand calls',
    { call_ids: Array.from({ length: 1001 }, (_, id) => toCallId(id)) },
    ['call_ids'],
    'too_long',
  ],
])('%s is rejected', async (_, more, loc, type) => {
  const response = await service.post('/calls/delete', { project_id: 'a/b', ...more })
  expect(response.status).toBe(422)
  const { detail } = (await response.json()) as { detail: object[] }
  expect(detail).toContainEqual({ loc: ['body', ...loc], msg: expect.any(String) as string, type })
})
