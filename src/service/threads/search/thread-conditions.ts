import * as z from 'zod/mini'
import { toEngineTime } from '../../store/engine-time'
import { dateTime, float64, joinSql, type Sql, sql, uint64 } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { selectAnsweredCalls, selectJudgedCalls } from './judged-calls'
import type { SearchFilter, Selection } from './search-request'
import { readSearchedWords } from './words'

/** What a filter asks of threads: of their ids, and of their figures. */
export type ThreadConditions = {
  ofIds: readonly Sql[]
  ofFigures: readonly Sql[]
  /** The engine finds threads by their calls first. */
  looksAtCalls: boolean
}

/** Beginnings that more words have are looked for in the words of every call. */
const maxWordsOfPrefix = 1000

export async function findConditions(store: Store, request: Selection, reader: QueryOptions): Promise<ThreadConditions> {
  const { project_id: projectId, filter = emptyFilter } = request
  const ofCalls = (condition: Sql) => sql`SELECT thread_id FROM thread_calls FINAL WHERE ${isOfCalls(request)} AND ${condition}`
  const byCalls = [
    ...(filter.has_errors === undefined
      ? []
      : [filter.has_errors ? sql`thread_id IN (${ofCalls(hasFailed)})` : sql`thread_id NOT IN (${ofCalls(hasFailed)})`]),
    ...(filter.op_names?.length ? [sql`thread_id IN (${ofCalls(sql`op_name IN ${filter.op_names}`)})`] : []),
    ...(filter.users?.length ? [sql`thread_id IN (${ofCalls(sql`user_id IN ${filter.users} AND user_id != ''`)})`] : []),
    ...(filter.is_judged === undefined
      ? []
      : [sql`thread_id ${filter.is_judged ? sql`IN` : sql`NOT IN`} (${ofCalls(sql`id IN (${selectJudgedCalls(projectId)})`)})`]),
    ...(filter.answers ?? []).map(
      (answer) => sql`thread_id IN (${ofCalls(sql`id IN (${selectAnsweredCalls(projectId, answer)})`)})`,
    ),
    ...(filter.models?.length ? [sql`thread_id IN (${selectThreadsOfModels(request, filter.models)})`] : []),
  ]
  const words = filter.text ? await findWordConditions(store, projectId, filter.text, reader) : []
  if (words.length > 0) byCalls.push(sql`thread_id IN (${ofCalls(joinSql(words, ' AND '))})`)
  return {
    ofIds: [...(filter.thread_id_prefix ? [sql`startsWith(thread_id, ${filter.thread_id_prefix})`] : []), ...byCalls],
    ofFigures: [
      ...(filter.min_turns === undefined ? [] : [sql`turn_count >= ${uint64(filter.min_turns)}`]),
      ...(filter.min_p50_ms === undefined ? [] : [sql`p50_turn_duration_ms >= ${float64(filter.min_p50_ms)}`]),
      ...(filter.min_p99_ms === undefined ? [] : [sql`p99_turn_duration_ms >= ${float64(filter.min_p99_ms)}`]),
    ],
    looksAtCalls: byCalls.length > 0,
  }
}

const emptyFilter = {} as SearchFilter // each key may be absent
const hasFailed = sql`has_failed = 1`

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
function isNamed({ thread_ids: ids, thread_id_prefix: prefix }: SearchFilter): Sql[] {
  return [...(ids?.length ? [sql`thread_id IN ${ids}`] : []), ...(prefix ? [sql`startsWith(thread_id, ${prefix})`] : [])]
}

/** A condition on `spent_calls`: the call counts, and is of a turn in the window. */
export function isSpentByThreads({ project_id: projectId, filter = emptyFilter }: Selection): Sql {
  const conditions = [sql`project_id = ${projectId}`, sql`is_spent = 1`, sql`thread_id != ''`]
  return joinSql([...conditions, ...isInWindow(filter), ...isNamed(filter)], ' AND ')
}

/** Models are those of what a call spent itself, as in `/threads/usage`. */
function selectThreadsOfModels(selection: Selection, models: readonly string[]): Sql {
  const ofShares = sql`arrayMap(share -> JSONExtractString(share, 'model'), JSONExtractArrayRaw(shares))`
  return sql`SELECT thread_id FROM spent_calls FINAL
WHERE ${isSpentByThreads(selection)} AND if(shares = '', model IN ${models}, hasAny(${ofShares}, ${models}))`
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
