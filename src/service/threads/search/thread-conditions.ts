import * as z from 'zod/mini'
import { toEngineTime } from '../../store/engine-time'
import { fromFewRows } from '../../store/newest-rows'
import { dateTime, float64, identifier, joinSql, type Sql, sql, uint64, withoutIndex } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { selectAnsweredCalls, selectJudgedCalls } from './judged-calls'
import type { SearchFilter, Selection } from './search-request'
import { readSearchedWords } from './words'

/** What a filter asks of threads: of their ids, and of their figures. */
export type ThreadConditions = {
  /** Those of names and of calls. */
  ofIds: readonly Sql[]
  ofFigures: readonly Sql[]
  ofNames: readonly Sql[]
  ofCalls: readonly CallCondition[]
  /** The engine finds threads by their calls first. */
  looksAtCalls: boolean
}

/** Threads are found of which some call is such a row, or none. */
export type CallCondition = { table: 'spent_calls' | 'thread_calls'; isSuch: Sql; isWanted: boolean }

/** Beginnings that more words have are looked for in the words of every call. */
const maxWordsOfPrefix = 1000

/** More threads than this are found faster by reading the ids of all calls: an index of words takes them one by one. */
const maxIndexedIds = 1000

export async function findConditions(store: Store, request: Selection, reader: QueryOptions): Promise<ThreadConditions> {
  const { project_id: projectId, filter = emptyFilter } = request
  const ofCalls: CallCondition[] = []
  const add = (condition: Sql, isWanted = true) =>
    ofCalls.push({ table: 'thread_calls', isSuch: sql`${isOfCalls(request)} AND ${condition}`, isWanted })
  if (filter.has_errors !== undefined) add(sql`has_failed = 1`, filter.has_errors)
  if (filter.op_names?.length) add(sql`op_name IN ${filter.op_names}`)
  if (filter.users?.length) add(sql`user_id IN ${filter.users} AND user_id != ''`)
  if (filter.is_judged !== undefined) add(sql`id IN (${selectJudgedCalls(projectId)})`, filter.is_judged)
  for (const answer of filter.answers ?? []) add(sql`id IN (${selectAnsweredCalls(projectId, answer)})`)
  if (filter.models?.length) {
    ofCalls.push({ table: 'spent_calls', isSuch: isSpentOnModels(request, filter.models), isWanted: true })
  }
  const words = filter.text ? await findWordConditions(store, projectId, filter.text, reader) : []
  if (words.length > 0) add(joinSql(words, ' AND '))
  const ofNames = filter.thread_id_prefix ? [sql`startsWith(thread_id, ${filter.thread_id_prefix})`] : []
  return {
    ofIds: [...ofNames, ...ofCalls.map(holds)],
    ofFigures: [
      ...(filter.min_turns === undefined ? [] : [sql`turn_count >= ${uint64(filter.min_turns)}`]),
      ...(filter.min_p50_ms === undefined ? [] : [sql`p50_turn_duration_ms >= ${float64(filter.min_p50_ms)}`]),
      ...(filter.min_p99_ms === undefined ? [] : [sql`p99_turn_duration_ms >= ${float64(filter.min_p99_ms)}`]),
    ],
    ofNames,
    ofCalls,
    looksAtCalls: ofCalls.length > 0,
  }
}

/** A condition on `thread_id`. */
function holds({ table, isSuch, isWanted }: CallCondition): Sql {
  return isIn(sql`SELECT thread_id FROM ${identifier(table)} FINAL WHERE ${isSuch}`, isWanted)
}

/** The same for few threads. */
export function holdsAmong({ table, isSuch, isWanted }: CallCondition, threadIds: readonly string[]): Sql {
  const threadId = threadIds.length > maxIndexedIds ? withoutIndex(sql`thread_id`) : sql`thread_id`
  return isIn(sql`SELECT thread_id ${fromFewRows(table, sql`${isSuch} AND ${threadId} IN ${threadIds}`)}`, isWanted)
}

/**
 * The same without a merge, which takes the longest of all: it holds for some more threads, of calls that have been corrected.
 * Only for what is wanted.
 */
export function mayHold(condition: CallCondition): Sql {
  return isIn(selectMayHold(condition), true)
}

/** The threads of `mayHold`, each as often as it has such rows. */
export function selectMayHold({ table, isSuch }: CallCondition): Sql {
  return sql`SELECT thread_id FROM ${identifier(table)} WHERE ${isSuch}`
}

function isIn(threadIds: Sql, isWanted: boolean): Sql {
  return isWanted ? sql`thread_id IN (${threadIds})` : sql`thread_id NOT IN (${threadIds})`
}

const emptyFilter = {} as SearchFilter // each key may be absent

/** A condition on `thread_calls`: the call counts, and is of a turn in the window. */
export function isOfCalls({ project_id: projectId, filter = emptyFilter }: Selection): Sql {
  return joinSql([sql`project_id = ${projectId}`, sql`is_counted = 1`, ...isInWindow(filter), ...isNamed(filter)], ' AND ')
}

function isInWindow({ after_datetime: after, before_datetime: before }: SearchFilter): Sql[] {
  return [
    ...(after === undefined ? [] : [sql`turn_started_at > ${dateTime(toEngineTime(after))}`]),
    ...(before === undefined ? [] : [sql`turn_started_at < ${dateTime(toEngineTime(before))}`]),
  ]
}

/** Other threads are left out of the result anyway: this only reads less. */
export function isNamed({ thread_ids: ids, thread_id_prefix: prefix }: SearchFilter): Sql[] {
  return [...(ids?.length ? [sql`thread_id IN ${ids}`] : []), ...(prefix ? [sql`startsWith(thread_id, ${prefix})`] : [])]
}

/** A condition on `spent_calls`: the call counts, and is of a turn in the window. */
export function isSpentByThreads({ project_id: projectId, filter = emptyFilter }: Selection): Sql {
  const conditions = [sql`project_id = ${projectId}`, sql`is_spent = 1`, sql`thread_id != ''`]
  return joinSql([...conditions, ...isInWindow(filter), ...isNamed(filter)], ' AND ')
}

/** Models are those of what a call spent itself, as in `/threads/usage`. */
function isSpentOnModels(selection: Selection, models: readonly string[]): Sql {
  const ofShares = sql`arrayMap(share -> JSONExtractString(share, 'model'), JSONExtractArrayRaw(shares))`
  return sql`${isSpentByThreads(selection)} AND if(shares = '', model IN ${models}, hasAny(${ofShares}, ${models}))`
}

const WordRow = z.object({ word: z.string() })

/** Conditions on a row of `thread_calls`. Text without a letter asks for nothing. */
async function findWordConditions(store: Store, projectId: string, text: string, reader: QueryOptions): Promise<Sql[]> {
  const { words, prefixes } = await readSearchedWords(store, text, reader)
  const conditions = words.length > 0 ? [sql`hasAllTokens(words, ${words})`] : []
  for (const prefix of prefixes) {
    const statement = sql`SELECT DISTINCT word FROM thread_words
WHERE project_id = ${projectId} AND startsWith(word, ${prefix}) LIMIT ${uint64(maxWordsOfPrefix + 1)}`
    const found = (await store.query(statement, WordRow, reader)).map(({ word }) => word)
    conditions.push(
      found.length > maxWordsOfPrefix
        ? sql`arrayExists(word -> startsWith(word, ${prefix}), words)`
        : sql`hasAnyTokens(words, ${found})`,
    )
  }
  return conditions
}
