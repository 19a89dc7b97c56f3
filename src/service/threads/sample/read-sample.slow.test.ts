import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../store/sql'
import { CallWriterFixture } from '../../testing/call-writer-fixture'
import { readSample } from './read-sample'

const projectId = 'sample/million'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
  const { store } = fixture
  // A million turns of 100,000 threads, with what is derived from their calls: a call with tokens below each, one in 20 failed.
  const turn = sql`${projectId} AS project_id, concat('thread-', toString(number % 100000)) AS thread_id,
  lower(hex(MD5(toString(number)))) AS id,
  toDateTime64('2026-01-01 00:00:00', 6, 'UTC') + toIntervalSecond(number) AS started_at`
  const ended = sql`started_at + toIntervalMillisecond(cityHash64(number) % 60000)`
  await store.command(sql`INSERT INTO turns_by_start (project_id, thread_id, id, started_at, ended_at, is_retracted)
SELECT ${turn}, ${ended} AS ended_at, 0 FROM numbers(1000000)`)
  await store.command(sql`INSERT INTO threads (project_id, thread_id, turn_count, start_time, last_updated, first_turn_id,
  last_turn_id, p50_turn_duration_ms, p99_turn_duration_ms, version)
SELECT ${projectId}, concat('thread-', toString(number)), 10, toDateTime64('2026-01-01 00:00:00', 6, 'UTC'),
  toDateTime64('2026-01-02 00:00:00', 6, 'UTC'), 'a', 'b', 30000, 60000, 10 FROM numbers(100000)`)
  await store.command(sql`INSERT INTO spent_calls (project_id, thread_id, id, started_at, turn_started_at, is_spent, op_name, user_id,
  provider, model, requests, prompt_tokens, completion_tokens, total_tokens, shares, version)
SELECT ${turn}, started_at AS turn_started_at, 1, 'chat', '', '', concat('model-', toString(number % 7)), 1, 10, 1, 11, '', 1
FROM numbers(1000000)`)
  await store.command(sql`INSERT INTO thread_calls (project_id, thread_id, id, started_at, turn_started_at, is_counted, op_name,
  user_id, has_failed, words, version)
SELECT ${turn}, started_at AS turn_started_at, 1, 'chat', '', number % 20 = 0, [], 1 FROM numbers(1000000)`)
}, 180_000)
afterAll(() => fixture.close())

test.each([
  ['a random sample', { sample: { size: 30, seed: '42', stratify_by: undefined } }, 30],
  ['a large random sample', { sample: { size: 50_000, seed: '42', stratify_by: undefined } }, 50_000],
  ['a sample by model', { sample: { size: 70, seed: '42', stratify_by: 'model' } }, 70],
  ['a sample with slow ones', { sample: { size: 30, seed: '42', stratify_by: 'slowest' } }, 30],
  ['a sample with errors', { sample: { size: 30, seed: '42', stratify_by: 'errors' } }, 30],
  ['the slowest turn of each thread', { turns: 'slowest', sample: { size: 30, seed: '1', stratify_by: undefined } }, 30],
  ['the failed turns', { turns: 'failed', sample: { size: 30, seed: '1', stratify_by: undefined } }, 30],
  ['as many turns as a queue takes', {}, 50_000],
] as const)('%s of a million turns is read within the limits of a statement', { timeout: 60_000 }, async (_, fields, count) => {
  const sample = await readSample(
    fixture.store,
    { project_id: projectId, filter: undefined, turns: undefined, sample: undefined, ...fields },
    {},
  )
  expect(sample.turn_ids).toHaveLength(count)
  expect(new Set(sample.turn_ids).size).toBe(count)
})
