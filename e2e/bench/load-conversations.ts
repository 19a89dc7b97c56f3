import { deriveLoaded } from './load-calls'
import { type Sql, sql, uint64 } from '../../src/service/store/sql'
import type { Store } from '../../src/service/store/store'

export const conversationProject = 'bench/conversations'
export const callsPerTurn = 10
const turnsPerThread = 10
const callsPerStatement = 200_000

// A turn each second until now, of ten calls: nine of models, of which one in two hundred fails. Words are as rare as in text:
// the n-th of 20,000 is n times as rare as the first.
const generatedCalls = (from: number, count: number, firstTurnAt: number) => sql`
SELECT number AS n, intDiv(n, ${uint64(callsPerTurn)}) AS turn, concat('thread-', toString(intDiv(turn, ${uint64(turnsPerThread)}))) AS thread,
  lower(leftPad(hex(sipHash64(n)), 16, '0')) AS call_id,
  lower(leftPad(hex(sipHash64(turn * ${uint64(callsPerTurn)})), 16, '0')) AS turn_id,
  n % 10 = 0 AS is_turn,
  toDateTime64(fromUnixTimestamp(${uint64(firstTurnAt)} + turn), 6, 'UTC') AS turn_started,
  turn_started + toIntervalMillisecond(n % 10 * 20) AS started,
  started + toIntervalMillisecond(if(is_turn, 400, 50) + cityHash64(n, 1) % if(cityHash64(turn, 2) % 100 = 0, 60000, 3000)) AS ended,
  if(is_turn, 'answer', concat('step-', toString(cityHash64(n, 3) % 20))) AS op,
  concat('user-', toString(cityHash64(intDiv(turn, ${uint64(turnsPerThread)}), 4) % 500)) AS user,
  ['gpt-4o', 'gpt-4o-mini', 'o3', 'gpt-4.1'][cityHash64(n, 5) % 4 + 1] AS llm,
  toUInt64(cityHash64(n, 6) % 8000) AS prompt, toUInt64(cityHash64(n, 7) % 600) AS completion,
  NOT is_turn AND cityHash64(n, 8) % 200 = 0 AS has_error,
  arrayMap(position -> concat('w', toString(toUInt32(exp(9.9 * (cityHash64(n, 9, position) % 1000003) / 1000003)))), range(8)) AS text
FROM numbers(${uint64(from)}, ${uint64(count)})`

// Long ago: the service that is started on these tables must not take the calls for ones that are not derived yet.
const writtenAt = sql`toDateTime64('2026-01-01 00:00:00', 6, 'UTC')`

const statements = (calls: Sql) => [
  sql`INSERT INTO calls (inserted_at, project_id, id, trace_id, parent_id, thread_id, thread_ids, turn_id, turn_ids, op_name, started_at,
  ended_at, exception, attributes, inputs, output, summary)
SELECT ${writtenAt}, ${conversationProject}, call_id, concat(turn_id, turn_id), if(is_turn, '', turn_id), thread, [thread], turn_id, [turn_id],
  op, started, ended, if(has_error, 'TimeoutError: the model did not answer', NULL),
  concat('{"provider":"openai","user_id":"', user, '"}'), concat('{"text":"', arrayStringConcat(text, ' '), '"}'), '"done"',
  if(is_turn, '{}', concat('{"usage":{"', llm, '":{"requests":1,"prompt_tokens":', toString(prompt), ',"completion_tokens":',
    toString(completion), '}}}'))
FROM (${calls})`,
  sql`INSERT INTO thread_calls (project_id, started_at, id, is_counted, thread_id, turn_started_at, op_name, user_id, has_failed, words, version)
SELECT ${conversationProject}, started, call_id, 1, thread, turn_started, op, user, has_error, arraySort(arrayDistinct(arrayConcat(text,
  ['text', 'done'], if(has_error, ['timeouterror', 'the', 'model', 'did', 'not', 'answer'], [])))), 1
FROM (${calls})`,
  sql`INSERT INTO spent_calls (project_id, started_at, id, is_spent, op_name, user_id, thread_id, turn_started_at, provider, model, requests,
  prompt_tokens, completion_tokens, total_tokens, version)
SELECT ${conversationProject}, started, call_id, 1, op, user, thread, turn_started, 'openai', llm, 1, prompt, completion, prompt + completion, 1
FROM (${calls}) WHERE NOT is_turn`,
]

/**
 * Fills an empty store with threads of ten turns of ten calls, and with everything that the service derives from them. The
 * engine writes all of it itself, because the bench measures how it is read.
 */
export async function loadConversations(store: Store, calls: number): Promise<void> {
  const firstTurnAt = Math.floor(Date.now() / 1000) - calls / callsPerTurn
  for (let from = 0; from < calls; from += callsPerStatement) {
    const generated = generatedCalls(from, Math.min(callsPerStatement, calls - from), firstTurnAt)
    for (const statement of statements(generated)) await store.command(statement, { maxSeconds: 600 })
  }
  await deriveLoaded(store)
  const watermark = Date.UTC(2026, 0, 2) * 1000
  for (const table of ['spent_before', 'searched_before']) await store.insert(table, [{ name: '', watermark }])
}
