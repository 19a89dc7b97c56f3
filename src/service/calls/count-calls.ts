import * as z from 'zod/mini'
import type { QueryCallStats } from '../../contract/call-requests'
import { limitOffset } from '../store/limit-offset'
import { sql } from '../store/sql'
import type { QueryOptions } from '../store/store'
import { asksForTurns } from './asks-for-turns'
import { callConditions } from './call-conditions'
import { callSource } from './call-source'
import type { CallReaders } from './list-calls'

/** How many calls are what is asked, counted no further than its limit. */
export async function countCalls(
  { store, deriver: summary }: CallReaders,
  input: z.output<typeof QueryCallStats>,
  options: QueryOptions,
): Promise<number> {
  if (asksForTurns(input)) await summary.flush(input.project_id)
  const source = await callSource(store, input.project_id, input, options)
  const [row] = await store.query(
    sql`SELECT count() AS count FROM (
      SELECT id FROM ${source.sql} WHERE ${callConditions(input)} ${limitOffset({ limit: input.limit })})`,
    z.object({ count: z.string() }),
    options,
  )
  return Number(row?.count ?? 0)
}
