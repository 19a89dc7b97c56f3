import * as z from 'zod/mini'
import { summarizeException } from '../../contract/summarize-exception'
import type { Turn } from '../../contract/turns'
import { callsWhere, traceNameSql } from '../store/merged-calls'
import { splitIds } from '../store/split-ids'
import { sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'

const FailedCall = z.object({ id: z.string(), name: z.string(), excerpt: z.string() })

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
FROM ${callsWhere(projectId, sql`id IN ${some}`)}`
    for (const { id, name, excerpt } of await store.query(statement, FailedCall, options)) {
      failures.set(id, { call_id: id, call_name: name, message: summarizeException(excerpt) })
    }
  }
  return failures
}
