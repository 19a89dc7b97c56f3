import { afterAll, beforeAll, expect, test } from 'vitest'
import { CallWriter } from '../ingest/call-writer'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { listThreads } from './list-threads'
import { ThreadSummary } from './thread-summary'

let place: Awaited<ReturnType<typeof openTemporaryStore>>

beforeAll(async () => {
  place = await openTemporaryStore()
})
afterAll(() => place.remove())

test('a thread has the exact figures of its turns', async () => {
  const summary = new ThreadSummary(place.store)
  const writer = new CallWriter(place.store, summary)
  await writer.write(
    [100, 200, 300, 400].map((ms, index) => ({
      project_id: 'a/b',
      id: `id${index}`,
      turn_id: `id${index}`,
      thread_id: 't',
      op_name: 'x',
      started_at: `2026-01-01T00:00:0${index}Z`,
      ended_at: `2026-01-01T00:00:0${index}.${ms}000Z`,
    })),
  )
  await summary.flush('a/b')
  const rows = []
  for await (const batch of listThreads(place.store, { project_id: 'a/b' })) rows.push(...batch)
  expect(rows).toEqual([
    {
      thread_id: 't',
      turn_count: 4,
      start_time: '2026-01-01T00:00:00Z',
      last_updated: '2026-01-01T00:00:03.400000Z',
      first_turn_id: 'id0',
      last_turn_id: 'id3',
      p50_turn_duration_ms: 250,
      p99_turn_duration_ms: 397,
    },
  ])
  const windowed = []
  for await (const batch of listThreads(place.store, { project_id: 'a/b', filter: { after_datetime: '2026-01-01T00:00:00Z' } }))
    windowed.push(...batch)
  expect(windowed).toEqual([expect.objectContaining({ turn_count: 3, p50_turn_duration_ms: 300, p99_turn_duration_ms: 398 })])
  await writer.close()
})
