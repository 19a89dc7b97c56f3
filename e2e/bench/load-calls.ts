import { type Sql, sql, uint64 } from '../../src/service/store/sql'
import type { Store } from '../../src/service/store/store'
import { threadAggregates, threadVersion } from '../../src/service/derive/thread-columns'

export const benchProject = 'bench/large'

// A block of this many calls with payload needs far less memory than one statement may use.
const callsPerStatement = 200_000

// 10 calls a turn, 5 to 10 turns a thread, 90 % of all calls in one project. Ids are hashes, spread like those of spans. A
// turn takes 0.2 to 20 s, as does each of its calls; 1 % of the calls never end.
const generatedCalls = (from: number, count: number, payloadRepeats: number) => sql`
SELECT number AS n, intDiv(n, 10) AS turn, intDiv(turn * 2, 15) AS thread,
  if(cityHash64(thread, 1) % 10 < 9, ${benchProject}, concat('bench/small-', toString(cityHash64(thread, 1) % 7))) AS project,
  lower(leftPad(hex(sipHash64(n)), 16, '0')) AS call_id, lower(leftPad(hex(sipHash64(turn * 10)), 16, '0')) AS turn_call_id,
  lower(leftPad(hex(sipHash64(thread, 3)), 16, '0')) AS thread_name,
  toDateTime64('2026-01-01 00:00:00', 6, 'UTC') + toIntervalMicrosecond(turn * 1000000 + (n % 10) * 1000 + cityHash64(n, 2) % 1000) AS started,
  started + toIntervalMicrosecond(200000 + cityHash64(n, 4) % 19800000) AS ended,
  concat('{"text":"', repeat(hex(sipHash64(n, 5)), ${uint64(payloadRepeats)}), '"}') AS payload
FROM numbers(${uint64(from)}, ${uint64(count)})`

// Long ago: a service that starts on these tables must not take the calls for ones that are not derived yet.
const writtenAt = sql`toDateTime64('2026-01-01 00:00:00', 6, 'UTC')`
const derivedAt = sql`toDateTime64('2026-01-02 00:00:00', 6, 'UTC')`

const startParts = (calls: Sql) => sql`
INSERT INTO calls (inserted_at, project_id, id, trace_id, parent_id, thread_id, thread_ids, turn_id, turn_ids, op_name, started_at, inputs)
SELECT ${writtenAt}, project, call_id, concat(turn_call_id, turn_call_id), if(n % 10 = 0, '', turn_call_id), thread_name, [thread_name],
  turn_call_id, [turn_call_id], 'answer', started, payload
FROM (${calls}) WHERE cityHash64(n, 6) % 10 < 4 OR cityHash64(n, 7) % 100 = 0`

const endParts = (calls: Sql) => sql`
INSERT INTO calls (inserted_at, project_id, id, ended_at, output)
SELECT ${writtenAt}, project, call_id, ended, payload FROM (${calls}) WHERE cityHash64(n, 6) % 10 < 4 AND cityHash64(n, 8) % 100 > 0`

const wholeCalls = (calls: Sql) => sql`
INSERT INTO calls (inserted_at, project_id, id, trace_id, parent_id, thread_id, thread_ids, turn_id, turn_ids, op_name, started_at, inputs,
  ended_at, output)
SELECT ${writtenAt}, project, call_id, concat(turn_call_id, turn_call_id), if(n % 10 = 0, '', turn_call_id), thread_name, [thread_name],
  turn_call_id, [turn_call_id], 'answer', started, payload, if(cityHash64(n, 8) % 100 > 0, ended, NULL), payload
FROM (${calls}) WHERE cityHash64(n, 6) % 10 >= 4`

const deriveTurns = sql`
INSERT INTO turns (inserted_at, project_id, thread_id, id, started_at, ended_at, is_retracted)
SELECT ${derivedAt}, project_id, max(thread_id), id, assumeNotNull(min(started_at)), max(ended_at), 0
FROM calls GROUP BY project_id, id HAVING max(turn_id) = id AND max(thread_id) != '' AND min(started_at) IS NOT NULL`

const deriveTurnsByStart = sql`
INSERT INTO turns_by_start (project_id, started_at, thread_id, id, ended_at, is_retracted)
SELECT project_id, started_at, thread_id, id, ended_at, 0 FROM turns FINAL`

const deriveThreads = sql`
INSERT INTO threads (project_id, thread_id, turn_count, start_time, last_updated, first_turn_id, last_turn_id,
  p50_turn_duration_ms, p99_turn_duration_ms, version)
SELECT project_id, thread_id, ${threadAggregates}, ${threadVersion} FROM turns FINAL GROUP BY project_id, thread_id`

/**
 * Fills an empty store: 40 % of the calls arrive as a start and an end, 1 % twice. The engine writes them itself, because
 * the bench measures how they are read.
 */
export async function loadCalls(store: Store, calls: number): Promise<void> {
  // 2 kB a call up to a million calls; beyond that, the payload would only fill the disk.
  const payloadRepeats = calls <= 1_000_000 ? 64 : 2
  for (let from = 0; from < calls; from += callsPerStatement) {
    const generated = generatedCalls(from, Math.min(callsPerStatement, calls - from), payloadRepeats)
    for (const statement of [startParts, wholeCalls, endParts]) await store.command(statement(generated))
  }
  await deriveLoaded(store)
}

/** Turns and threads of all calls, for a store that was filled by statements. */
export async function deriveLoaded(store: Store): Promise<void> {
  for (const statement of [deriveTurns, deriveTurnsByStart, deriveThreads]) await store.command(statement, { maxSeconds: 600 })
}
