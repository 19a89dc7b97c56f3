import * as z from 'zod/mini'
import type { QueryCallStats } from '../../contract/call-requests'
import { limitOffset } from '../store/limit-offset'
import { count } from '../store/row-types'
import { sql } from '../store/sql'
import type { QueryOptions } from '../store/store'
import { callConditions, dependsOnTurns } from './call-conditions'
import { countByStart } from './calls-by-start'
import { chooseSource, inLaneOf } from './find-call-ids'
import { readExpandedFields } from './read-expanded-fields'
import type { CallReaders } from './list-calls'
import { findSpansOfTurns } from './span-turns'

/** Counts the calls that meet a query, up to its limit. */
export async function countCalls(
  { store, deriver, searches, related }: CallReaders,
  input: z.output<typeof QueryCallStats>,
  options: QueryOptions,
): Promise<number> {
  if (dependsOnTurns(input)) await deriver.flush(input.project_id, options)
  const resolveRefs = (refs: readonly string[]) => related.resolveRefs(input.project_id, refs, options)
  const expandedFields = await readExpandedFields(store, input, resolveRefs, options)
  const { project_id: projectId, filter } = input
  const spansOfTurns = filter?.turn_ids?.length
    ? await findSpansOfTurns({ store, deriver, projectId, options }, filter.turn_ids)
    : undefined
  const source = await chooseSource(store, { ...input, spansOfTurns }, options)
  const byStart = source.hasAllCalls ? await countByStart({ store, searches }, input, options) : undefined
  if (byStart !== undefined) return byStart
  const [row] = await store.query(
    sql`SELECT count() AS count FROM (SELECT id FROM ${source.sql} WHERE ${callConditions({ ...input, expandedFields, spansOfTurns })} ${limitOffset(input)})`,
    z.object({ count }),
    inLaneOf(source, input, options),
  )
  return row?.count ?? 0
}
