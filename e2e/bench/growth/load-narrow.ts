import * as z from 'zod/mini'
import { threadAggregates, threadColumnNames, threadVersion } from '../../../src/service/derive/thread-columns'
import { writeWatermark } from '../../../src/service/derive/watermark'
import { type Sql, sql, uint64 } from '../../../src/service/store/sql'
import type { Store } from '../../../src/service/store/store'
import { openUnlimitedSession } from './unlimited-session'

export const growthProject = 'bench/growth'
export const firstTurnAt = Date.UTC(2025, 0, 1)
/** After all calls, and before every start of the service. */
const derivedAt = Date.UTC(2026, 0, 1)

/**
 * How many calls are written at once; whole threads, which lie within 10,000 calls. To merge calls takes three times as long as to
 * write them, and the engine merges ten parts at once: so a step of growth has fewer, or as few as memory allows (5 GB for 5
 * million calls).
 */
const minCallsPerBlock = 500_000
const maxCallsPerBlock = 5_000_000
const blocksPerStep = 8
const smallProjects = 3

/** The milliseconds of a time, as 12 hexadecimal digits. */
const millisecondDigits = (time: Sql) => sql`leftPad(hex(toUnixTimestamp64Milli(${time})), 12, '0')`

/** A UUID with the milliseconds of a start in front, else of the bytes of `random`. */
const timedId = (start: Sql, random: Sql) => sql`lower(arrayStringConcat([substring(${millisecondDigits(start)}, 1, 8),
  substring(${millisecondDigits(start)}, 9), concat('7', substring(hex(${random}), 1, 3)),
  concat('a', substring(hex(${random}), 4, 3)), substring(hex(${random}), 7, 12)], '-'))`

// A turn each second, of ten calls; 130 conversations at once, of 7 or 8 turns in a quarter of an hour. The rows are as narrow as
// calls can be that still have all that a page shows or filters by: three calls of a turn spend tokens, one turn in a hundred never
// ends, each thread has a word of its own, a user has one or two threads, and 40 of the first million calls fail. Every second thread
// has ids in the order of time, as those of Weave's SDKs are (version 7 of RFC 9562); the others have random ones, as spans have.
const generatedCalls = (from: number, count: number) => sql`
SELECT number AS n, intDiv(n, 10) AS turn, intDiv(turn, 1000) * 130 + turn % 1000 % 130 AS thread_number, n % 10 = 0 AS is_turn,
  thread_number % 2 = 0 AS has_timed_ids,
  toDateTime64(fromUnixTimestamp(${uint64(firstTurnAt / 1000)} + turn % 100000000000), 6, 'UTC') AS turn_started,
  if(has_timed_ids, ${timedId(sql`started`, sql`sipHash128(n)`)}, lower(hex(sipHash64(n)))) AS call_id,
  if(has_timed_ids, ${timedId(sql`turn_started`, sql`sipHash128(turn * 10)`)}, lower(hex(sipHash64(turn * 10)))) AS turn_id,
  if(has_timed_ids, ${timedId(sql`turn_started`, sql`sipHash128(turn, 1)`)}, lower(hex(sipHash128(turn, 1)))) AS trace,
  lower(hex(sipHash64(thread_number, 3))) AS thread,
  turn_started + toIntervalMillisecond(n % 10 * 20) AS started,
  if(is_turn AND cityHash64(n, 8) % 100 = 0, NULL,
    started + toIntervalMicrosecond(200000 + cityHash64(n, 4) % if(is_turn, 19800000, 200000))) AS ended,
  if(is_turn, 'answer', concat('step-', toString(n % 10))) AS op,
  concat('user-', toString(cityHash64(thread_number, 4) % 1000000)) AS user,
  n % 10 IN (2, 5, 8) AS is_of_model, ['gpt-4o', 'gpt-4o-mini', 'o3'][intDiv(n % 10, 3) + 1] AS llm,
  cityHash64(n, 6) % 8000 AS prompt, cityHash64(n, 7) % 600 AS completion,
  n < 1000000 AND n % 25000 = 24999 AS has_error,
  arrayConcat([concat('w', toString(toUInt32(exp(9.9 * (cityHash64(n, 9) % 1000003) / 1000003))))],
    if(is_turn, [concat('t', thread)], [])) AS text
FROM numbers(${uint64(from)}, ${uint64(count)})`

const toStatements = (project: string, calls: Sql) => [
  sql`INSERT INTO calls (inserted_at, project_id, id, trace_id, parent_id, thread_id, thread_ids, turn_id, turn_ids, op_name, started_at,
  ended_at, exception, attributes, inputs, output, summary)
SELECT started, ${project}, call_id, trace, if(is_turn, '', turn_id), thread, [thread], turn_id, [turn_id], op, started,
  ended, if(has_error, 'TimeoutError', NULL), if(is_turn, concat('{"user_id":"', user, '"}'), '{}'),
  concat('{"text":"', arrayStringConcat(text, ' '), '"}'), '"done"',
  if(is_of_model, concat('{"usage":{"', llm, '":{"requests":1,"prompt_tokens":', toString(prompt), ',"completion_tokens":',
    toString(completion), '}}}'), '{}')
FROM (${calls})`,
  sql`INSERT INTO thread_calls (project_id, started_at, id, is_counted, thread_id, turn_started_at, op_name, user_id, has_failed, words, version)
SELECT ${project}, started, call_id, 1, thread, turn_started, op, user, has_error,
  arraySort(arrayConcat(text, ['text', 'done'], if(has_error, ['timeouterror'], []))), ${ofTenCalls}
FROM (${calls})`,
  sql`INSERT INTO spent_calls (project_id, started_at, id, is_spent, op_name, user_id, thread_id, turn_started_at, provider, model, requests,
  prompt_tokens, completion_tokens, total_tokens, version)
SELECT ${project}, started, call_id, 1, op, user, thread, turn_started, '', llm, 1, prompt, completion, prompt + completion, ${ofTenCalls}
FROM (${calls}) WHERE is_of_model`,
  sql`INSERT INTO turns (inserted_at, project_id, thread_id, id, started_at, ended_at, is_retracted)
SELECT started, ${project}, thread, call_id, started, ended, 0 FROM (${calls}) WHERE is_turn`,
  sql`INSERT INTO turns_by_start (project_id, started_at, thread_id, id, ended_at, is_retracted)
SELECT ${project}, started, thread, call_id, ended, 0 FROM (${calls}) WHERE is_turn`,
  sql`INSERT INTO threads (project_id, thread_id, ${threadColumnNames}, version)
SELECT ${project}, thread_id, ${threadAggregates}, ${threadVersion}
FROM (SELECT thread AS thread_id, call_id AS id, started AS started_at, ended AS ended_at, 0 AS is_retracted FROM (${calls}) WHERE is_turn)
GROUP BY thread_id`,
]

/** The version of a row that is derived from a call of one part, in a trace of ten. */
const ofTenCalls = sql`toUInt64(${uint64(2 ** 40 + 10)})`

/** A statement writes one part. To merge its calls before takes longer than all else, and no two rows are of one call. */
const blockSettings =
  'optimize_on_insert = 0, parallel_view_processing = 1, min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0'

/**
 * Adds calls to the store in a folder that holds the first `from`, with everything that the service derives from them. The engine
 * writes all of it itself, because the bench measures how it is read.
 */
export async function loadNarrowCalls(store: Store, folder: string, from: number, to: number): Promise<void> {
  const session = openUnlimitedSession(folder)
  try {
    const blocks: Sql[][] = []
    if (from === 0) {
      for (let each = 0; each < smallProjects; each += 1) {
        blocks.push(toStatements(`bench/small-${each}`, generatedCalls(1e12 * (each + 1), 1000)))
      }
    }
    const evenly = Math.ceil((to - from) / blocksPerStep / 10_000) * 10_000
    const size = Math.min(Math.max(evenly, minCallsPerBlock), maxCallsPerBlock)
    for (let next = from; next < to; next += size) {
      blocks.push(toStatements(growthProject, generatedCalls(next, Math.min(size, to - next))))
    }
    // Two at a time, because one is sorted by one core: the calls, and all else.
    const insert = async (choose: (statement: Sql, index: number) => boolean) => {
      for (const statement of blocks.flatMap((block) => block.filter(choose))) await session.run(statement, blockSettings)
    }
    await Promise.all([insert((_, index) => index === 0), insert((_, index) => index > 0)])
  } finally {
    session.close()
  }
  await writeWatermark(store, derivedAt * 1000)
  for (const table of ['spent_before', 'searched_before']) await store.insert(table, [{ name: '', watermark: derivedAt * 1000 }])
}

const Merges = z.object({ merges: z.coerce.number() })

/** Resolves when the engine has merged what it wants to merge. */
export async function waitForMerges(store: Store): Promise<void> {
  for (let quiet = 0; quiet < 5; quiet += 1) {
    const [row] = await store.query(sql`SELECT count() AS merges FROM system.merges`, Merges)
    if (row?.merges !== 0) quiet = -1
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
