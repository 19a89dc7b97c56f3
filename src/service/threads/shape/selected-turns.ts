import { fromTurns } from '../list-threads'
import type { Selection } from '../search/search-request'
import { selectFoundThreads } from '../search/find-page'
import { findThreadIdsByCost } from '../search/search-threads'
import { findConditions, isOfCalls } from '../search/thread-conditions'
import { type Sql, sql } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'

/** What a filter finds, as parts of statements. */
export type SelectedTurns = {
  /** A SELECT of the threads with their figures. */
  threads: Sql
  /** FROM and WHERE of their turns in the window. */
  fromTurns: Sql
  /** FROM and WHERE of calls that failed themselves: all of these turns, and others of the window. See `toTurnKey`. */
  fromFailedCalls: Sql
  /** How such statements are run. */
  options: QueryOptions
}

/** The turns in the window of the filter, of the threads that it finds. Flush what the filter looks at first. */
export async function selectTurns(store: Store, selection: Selection, reader: QueryOptions): Promise<SelectedTurns> {
  const found = await findConditions(store, selection, reader)
  const byCost =
    selection.filter?.min_cost === undefined ? [] : [isOneOf(await findThreadIdsByCost(store, selection, found, reader))]
  const conditions = { ...found, ofIds: [...found.ofIds, ...byCost] }
  const threads = selectFoundThreads(selection, conditions)
  const isFound = sql`thread_id IN (SELECT thread_id FROM (${threads}))`
  const ofThreads = conditions.ofFigures.length > 0 ? [isFound] : conditions.ofIds
  return {
    threads,
    fromTurns: fromTurns(selection, ofThreads),
    fromFailedCalls: sql`FROM thread_calls FINAL WHERE ${isOfCalls(selection)} AND has_failed = 1`,
    options: { ...reader, lane: 'scan' },
  }
}

/**
 * Which turn a call is of is known by the start of the turn, so two turns of a thread that start in one microsecond are one here.
 * A key is one number: the engine groups, joins and looks up a million of them in a fifth of the time
 * that two columns take.
 */
export function toTurnKey(start: Sql): Sql {
  return sql`reinterpretAsUInt128(sipHash128(thread_id, toUnixTimestamp64Micro(${start})))`
}

/** As one text: the engine does not come to an end with a list of more than 40,000 ids. */
function isOneOf(threadIds: readonly string[]): Sql {
  return sql`thread_id IN (SELECT arrayJoin(JSONExtract(${JSON.stringify(threadIds)}, 'Array(String)')))`
}
