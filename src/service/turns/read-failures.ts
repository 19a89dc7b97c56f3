import * as z from 'zod/mini'
import { maxExcerptLength, summarizeException, tracebackFrame, tracebackStart } from '../../contract/summarize-exception'
import type { Turn } from '../../contract/turns'
import { callsWhere, traceNameSql } from '../store/merged-calls'
import { splitIds } from '../store/split-ids'
import { sql, uint64 } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'

const FailedCall = z.object({ id: z.string(), name: z.string(), excerpt: z.string() })

/**
 * What the summary of an exception is made of, after its start, so that the greatest of them is of the greatest exception. The
 * message of a long stack of Python is behind its last frame. Without it thousands of exceptions of megabytes would be in memory.
 */
const start = sql`substringUTF8(ifNull(calls.exception, ''), 1, ${uint64(maxExcerptLength)})`
const reversedFrame = Array.from(tracebackFrame).toReversed().join('')
const fromLastFrame = sql`substring(ifNull(calls.exception, ''),
  toInt64(length(ifNull(calls.exception, ''))) - toInt64(position(reverse(ifNull(calls.exception, '')), ${reversedFrame}))
    - ${uint64(tracebackFrame.length)} + 2)`
const exceptionExcerpt = sql`(${start}, if(startsWith(trimLeft(${start}), ${tracebackStart})
    AND position(calls.exception, ${tracebackFrame}) > 0,
  concat(${tracebackStart}, substringUTF8(${fromLastFrame}, 1, ${uint64(2 * maxExcerptLength)})), ${start}))`
const exceptionExcerptColumn = sql`tupleElement(max(${exceptionExcerpt}), 2) AS exception_excerpt`

/** How these calls failed, by id. Of long exceptions only an excerpt leaves the engine. */
export async function readFailures(
  store: Store,
  projectId: string,
  ids: readonly string[],
  options: QueryOptions,
): Promise<ReadonlyMap<string, NonNullable<Turn['failure']>>> {
  const failures = new Map<string, NonNullable<Turn['failure']>>()
  for (const some of splitIds(ids)) {
    const statement = sql`SELECT id, ${traceNameSql} AS name, exception_excerpt AS excerpt
FROM ${callsWhere(projectId, sql`id IN ${some}`, [exceptionExcerptColumn])}`
    for (const { id, name, excerpt } of await store.query(statement, FailedCall, options)) {
      failures.set(id, { call_id: id, call_name: name, message: summarizeException(excerpt) })
    }
  }
  return failures
}
