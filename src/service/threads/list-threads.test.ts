import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { compareText } from '../../contract/compare-text'
import { formatInstant } from '../../contract/instant'
import { type streamThreads, type Thread, threadSortFields } from '../../contract/threads'
import type { CallRow } from '../ingest/call-row'
import { testProperty } from '../../testing/test-property'
import { listThreads } from './list-threads'
import { referenceThreads, sortReferenceThreads } from '../derive/testing/reference-threads'
import { sql } from '../store/sql'
import { CallWriterFixture } from '../testing/call-writer-fixture'

type Query = Omit<z.output<typeof streamThreads.request>, 'project_id'>

const projectId = 'lists/p'
const directions = ['asc', 'desc'] as const
const startMicroseconds = 1_790_000_000_000_000n

let fixture: CallWriterFixture

async function list(query: Query = {}, project = projectId): Promise<Thread[]> {
  await fixture.deriver.flush(project)
  const rows: Thread[] = []
  for await (const batch of listThreads(fixture.store, { project_id: project, ...query })) rows.push(...batch)
  return rows
}

// Ids whose order by bytes differs from that by UTF-16 units ('\uffff' before '😀') or by a language's rules.
const threadIds = [
  'a',
  'B',
  'b',
  'Z',
  'ä',
  'é',
  'z',
  'ß',
  '東京',
  '\uffff',
  '😀',
  '10',
  '9',
  ' ',
  "'",
  '\\',
  'a\0b',
  'a\n',
  'x'.repeat(300),
]

let state = 7
/** A whole number from 0 to `below` - 1, the same in every run. */
function pseudoRandom(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}

/** Threads with equal values in every column, running turns, no finished turn, and calls below turns. */
const rows: CallRow[] = threadIds.flatMap((threadId, threadIndex) =>
  Array.from({ length: 1 + (threadIndex % 4) * 3 }, (_, index): CallRow[] => {
    const id = `${String(threadIndex).padStart(4, '0')}-${index}`
    const start = startMicroseconds + BigInt(pseudoRandom(5)) * 60_000_000n + BigInt(pseudoRandom(3))
    const isRunning = threadIndex % 6 === 0 || pseudoRandom(4) === 0
    // Some end before their start, because the clocks of two machines differ.
    const end = start + BigInt([0, 1, 250_000, 1_000_001, -5][pseudoRandom(5)] ?? 0)
    const call = { project_id: projectId, thread_id: threadId, turn_id: id, op_name: 'answer' }
    const below = {
      ...call,
      id: `${id}-below`,
      parent_id: id,
      started_at: formatInstant(start - 7n),
      ended_at: formatInstant(end + 9n),
    }
    return [{ ...call, id, started_at: formatInstant(start), ended_at: isRunning ? undefined : formatInstant(end) }, below]
  }).flat(),
)

beforeAll(async () => {
  fixture = await CallWriterFixture.open()
  await fixture.writer.write(rows)
})

afterAll(() => fixture.close())

test('a thread is the aggregate of its turns', async () => {
  // Four turns that start together and take 100, 200, 300 and 400 ms.
  await fixture.writer.write(
    [100n, 200n, 300n, 400n].map((ms, index) => {
      const id = `four-${index}`
      const [started_at, ended_at] = [startMicroseconds, startMicroseconds + ms * 1000n].map(formatInstant)
      return { project_id: 'four/p', id, turn_id: id, thread_id: 't', started_at, ended_at }
    }),
  )
  expect(await list({}, 'four/p')).toEqual([
    {
      thread_id: 't',
      turn_count: 4,
      start_time: formatInstant(startMicroseconds),
      last_updated: formatInstant(startMicroseconds + 400_000n),
      first_turn_id: 'four-0',
      last_turn_id: 'four-3',
      p50_turn_duration_ms: 250,
      p99_turn_duration_ms: 397,
    },
  ])
})

test.each(threadSortFields.flatMap((field) => directions.map((direction) => ({ field, direction }))))(
  'threads sort by $field $direction, nulls last, ties by id',
  async (key) => {
    const expected = sortReferenceThreads(referenceThreads(rows), [key])
    expect(expected.some((thread) => thread.p50_turn_duration_ms === null)).toBe(true)
    expect(await list({ sort_by: [key] })).toEqual(expected)
  },
)

const sortKey = fc.record({ field: fc.constantFrom(...threadSortFields), direction: fc.constantFrom(...directions) })
testProperty(
  'threads sort by several keys, the first counting most',
  fc.array(sortKey, { minLength: 2, maxLength: 4 }),
  { runs: 25 },
  async (sortBy) => {
    expect(await list({ sort_by: sortBy })).toEqual(sortReferenceThreads(referenceThreads(rows), sortBy))
  },
)

test('without a sort the thread that was updated last comes first', async () => {
  const expected = sortReferenceThreads(referenceThreads(rows), [{ field: 'last_updated', direction: 'desc' }])
  expect(await list()).toEqual(expected)
  expect(await list({ sort_by: [] })).toEqual(expected)
})

test('pages of any size together are the whole list, and past the end there is nothing', async () => {
  const all = await list()
  for (const limit of [1, 3, 7, 100]) {
    const pages: Thread[] = []
    for (let offset = 0; offset < all.length; offset += limit) pages.push(...(await list({ limit, offset })))
    expect(pages).toEqual(all)
  }
  expect(await list({ limit: 10, offset: all.length })).toEqual([])
  expect(await list({ limit: 10, offset: 10 ** 12 })).toEqual([])
  expect(await list({ limit: Number.MAX_SAFE_INTEGER, offset: Number.MAX_SAFE_INTEGER })).toEqual([])
  expect(await list({ limit: 0 })).toEqual([])
  expect(await list({ offset: 5 })).toEqual(all.slice(5))
})

test('a window aggregates only the turns that started strictly within it', async () => {
  const bounds = [0n, 1n, 60_000_000n, 60_000_001n, 120_000_002n, 999_000_000n].map((each) =>
    formatInstant(startMicroseconds + each),
  )
  const keys = [{ field: 'p99_turn_duration_ms', direction: 'desc' } as const]
  for (const after of [undefined, ...bounds]) {
    for (const before of [undefined, ...bounds]) {
      const filter = { after_datetime: after, before_datetime: before }
      const expected = sortReferenceThreads(
        referenceThreads(rows, { ...(after ? { after } : {}), ...(before ? { before } : {}) }),
        keys,
      )
      expect(await list({ filter, sort_by: keys })).toEqual(expected)
    }
  }
})

test('a filter by thread ids keeps exactly these threads, and filters combine', async () => {
  const wanted = ['😀', "'", '\\', 'a\0b', 'x'.repeat(300), 'not there']
  const all = referenceThreads(rows)
  const sort_by = [{ field: 'thread_id', direction: 'asc' } as const]
  const ids = async (filter: Query['filter']) => (await list({ filter, sort_by })).map((thread) => thread.thread_id)
  expect(await ids({ thread_ids: wanted })).toEqual(wanted.slice(0, 5).toSorted(compareText))
  expect(await ids({ thread_ids: [] })).toEqual(threadIds.toSorted(compareText))
  expect(await ids({ thread_ids: ['not there'] })).toEqual([])
  const after = formatInstant(startMicroseconds + 60_000_002n)
  const inWindow = new Set(referenceThreads(rows, { after }).map((thread) => thread.thread_id))
  expect(await ids({ thread_ids: wanted, after_datetime: after })).toEqual(
    wanted.filter((id) => inWindow.has(id)).toSorted(compareText),
  )
  expect(all.length).toBe(threadIds.length)
})

test('the fields of a thread have the order of the wire', async () => {
  const [thread] = await list({ limit: 1 })
  expect(Object.keys(thread ?? {})).toEqual([
    'thread_id',
    'turn_count',
    'start_time',
    'last_updated',
    'first_turn_id',
    'last_turn_id',
    'p50_turn_duration_ms',
    'p99_turn_duration_ms',
  ])
})

test('percentiles are exact for more turns than engines sample', async () => {
  const count = 9001
  const durations = Array.from({ length: count }, (_, index) => BigInt(index * index * 37 + (index % 3)))
  const calls = durations.map((duration, index): CallRow => {
    const start = startMicroseconds + BigInt(index)
    const id = `exact-${index}`
    return {
      project_id: 'exact/p',
      id,
      turn_id: id,
      thread_id: 't',
      started_at: formatInstant(start),
      ended_at: formatInstant(start + duration),
    }
  })
  await fixture.writer.write(calls)
  // 9000 * 0.5 = 4500 and 9000 * 0.99 = 8910 are whole ranks.
  const expected = {
    turn_count: count,
    p50_turn_duration_ms: Number(durations[4500]) / 1000,
    p99_turn_duration_ms: Number(durations[8910]) / 1000,
  }
  expect(await list({}, 'exact/p')).toMatchObject([expected])
  expect(await list({ filter: { after_datetime: '1900-01-01T00:00:00Z' } }, 'exact/p')).toMatchObject([expected])
})

test('a project sees its own threads only', async () => {
  await fixture.writer.write([
    { project_id: 'other/p', id: 'x', turn_id: 'x', thread_id: 'a', started_at: '2026-01-01T00:00:00Z' },
  ])
  expect((await list({}, 'other/p')).map((thread) => [thread.thread_id, thread.turn_count])).toEqual([['a', 1]])
  expect(await list({}, 'lists')).toEqual([])
  expect(await list({}, 'lists/p%')).toEqual([])
  expect(await list()).toEqual(sortReferenceThreads(referenceThreads(rows), [{ field: 'last_updated', direction: 'desc' }]))
})

test('a long list arrives in batches of bounded size, and may be left early', async () => {
  await fixture.store.command(
    sql`INSERT INTO threads (project_id, thread_id, turn_count, start_time, last_updated, first_turn_id, last_turn_id,
      p50_turn_duration_ms, p99_turn_duration_ms, version)
      SELECT 'long/p', concat('thread-', toString(number)), 1, now64(6), now64(6), 'a', 'b', 1.5, 2.5, 1 FROM numbers(400000)`,
  )
  let batches = 0
  let largest = 0
  let count = 0
  for await (const batch of listThreads(fixture.store, { project_id: 'long/p' })) {
    batches += 1
    count += batch.length
    largest = Math.max(largest, batch.length)
  }
  expect(count).toBe(400_000)
  expect(batches).toBeGreaterThan(4)
  expect(largest).toBeLessThan(100_000)
  for await (const _ of listThreads(fixture.store, { project_id: 'long/p' })) break
  const controller = new AbortController()
  const aborted = async () => {
    for await (const _ of listThreads(fixture.store, { project_id: 'long/p' }, { signal: controller.signal })) controller.abort()
  }
  await expect(aborted()).rejects.toMatchObject({ kind: 'aborted' })
  expect(await list({ limit: 1 })).toHaveLength(1)
})
