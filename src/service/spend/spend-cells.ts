import * as z from 'zod/mini'
import { parseInstant } from '../../contract/instant'
import type { SpendKey } from '../../contract/spend'
import type { PriceBoundaries } from '../pricing/price-book'
import { toEngineTime } from '../store/engine-time'
import { fromFewRows } from '../store/newest-rows'
import { roundDownTo } from '../store/round-down'
import { count, flag } from '../store/row-types'
import { dateTime, identifier, joinSql, type Sql, sql } from '../store/sql'
import type { SpendRequest } from './spend-request'
import { usageColumns } from './spent-row'
import type { TimeZone } from './time-zone'

// Calls are added up by the engine in cells: of the same groups, and at the same prices whatever they are. Within a cell the
// model, the named provider, the period of all price records, the hours of the day and the step for long prompts are the
// same, so what a cell costs is what its sum of tokens costs at the price of any of its calls.
//
// How a usage is split into kinds of tokens is linear too, unless a client reports parts that overlap (more cached and audio
// tokens than the prompt has). Such usages are alike only where they are equal.

/** A condition on `spent_calls`. Models and providers of calls with several models, and the providers of prices, are selected later. */
export function isSelected({ project_id: projectId, filter, turnStart }: SpendRequest): Sql {
  const { after_datetime: after, before_datetime: before, op_names, users, thread_ids } = filter ?? {}
  const isOneOf = (column: string, values: readonly string[] = []) =>
    values.length === 0 ? [] : [sql`${identifier(column)} IN ${values} AND ${identifier(column)} != ''`]
  const models = filter?.models ?? []
  const conditions = [
    sql`project_id = ${projectId}`,
    ...(after === undefined ? [] : [sql`started_at > ${dateTime(toEngineTime(after))}`]),
    ...(before === undefined ? [] : [sql`started_at < ${dateTime(toEngineTime(before))}`]),
    ...(turnStart?.after === undefined ? [] : [sql`turn_started_at > ${dateTime(toEngineTime(turnStart.after))}`]),
    ...(turnStart?.before === undefined ? [] : [sql`turn_started_at < ${dateTime(toEngineTime(turnStart.before))}`]),
    ...(op_names?.length ? [sql`op_name IN ${op_names}`] : []),
    ...isOneOf('user_id', users),
    ...isOneOf('thread_id', thread_ids),
    ...(models.length === 0 ? [] : [sql`(shares != '' OR model IN ${models})`]),
    sql`is_spent = 1`,
  ]
  return joinSql(conditions, ' AND ')
}

/** FROM and WHERE of the calls that count. */
function fromSelected(request: SpendRequest, condition: Sql): Sql {
  const isMeant = sql`${isSelected(request)} AND ${condition}`
  // Threads are few. They are in no order that the table has.
  if (request.filter?.thread_ids?.length) return fromFewRows('spent_calls', isMeant)
  return sql`FROM spent_calls FINAL WHERE ${isMeant}`
}

// intDiv() rounds to zero, so it is given numbers above zero: no call starts before 1900.
const seconds = sql`(intDiv(toUnixTimestamp64Micro(started_at) + 2208988800000000, 1000000) - 2208988800)`
const minuteOfDay = sql`toHour(started_at) * 60 + toMinute(started_at)`
const isOverlapping = sql`(prompt_tokens < cache_read_input_tokens + cache_creation_input_tokens + input_audio_tokens
  OR completion_tokens < reasoning_tokens + output_audio_tokens)`
const exactUsage = sql`if(${isOverlapping}, toString((${joinSql(
  usageColumns.map((column) => identifier(column)),
  ', ',
)})), '')`

const smallest = -(2n ** 62n)

/** The expressions that cells are grouped by, for the prices of models with these boundaries. */
function toPriceKeys({ dates, minutesOfDay, inputTokens }: PriceBoundaries): Sql[] {
  const us = dates.map((date) => parseInstant(date)).filter((each) => typeof each === 'bigint')
  return [
    ...(us.length === 0 ? [] : [roundDownTo(sql`toUnixTimestamp64Micro(started_at)`, [smallest, ...us])]),
    ...(minutesOfDay.length === 0 ? [] : [roundDownTo(minuteOfDay, [0, ...minutesOfDay])]),
    // A step is for prompts above its number.
    ...(inputTokens.length === 0 ? [] : [roundDownTo(sql`prompt_tokens`, [0, ...inputTokens.map((above) => above + 1)])]),
  ]
}

const columnByKey = {
  model: sql`model`,
  provider: sql`provider`,
  op_name: sql`op_name`,
  user: sql`user_id`,
  thread_id: sql`thread_id`,
} as const satisfies Record<Exclude<SpendKey, 'interval'>, Sql>

/** The cells of calls with one model, as rows of `SpentCallsRow`. `intervals` are those of `findIntervals`. */
export function selectCells(request: SpendRequest, boundaries: PriceBoundaries, intervals: readonly number[]): Sql {
  const keys = request.group_by ?? []
  const has = (key: SpendKey) => keys.includes(key)
  const groupBy = [
    sql`model`,
    sql`provider`,
    ...keys.flatMap((key) => (key === 'interval' || key === 'model' || key === 'provider' ? [] : [columnByKey[key]])),
    ...(has('interval') ? [roundDownTo(seconds, [smallest, ...intervals])] : []),
    ...toPriceKeys(boundaries),
    sql`prompt_tokens = 0`,
    sql`completion_tokens = 0`,
    sql`total_tokens = 0`,
    exactUsage,
  ]
  const sums = usageColumns.map((column) =>
    // What a request costs by itself is charged once at least.
    column === 'requests'
      ? sql`sum(toFloat64(greatest(requests, 1))) AS requests_sum`
      : sql`sum(toFloat64(${identifier(column)})) AS ${identifier(`${column}_sum`)}`,
  )
  const renamed = usageColumns.map((column) => sql`${identifier(`${column}_sum`)} AS ${identifier(column)}`)
  // Names of their own: an alias would replace the column in the conditions.
  return sql`SELECT call_count, first_start AS started_at, cell_op_name AS op_name, cell_user AS user_id,
  cell_thread AS thread_id, provider, model, input_tokens,
  ${joinSql(renamed, ', ')}, '' AS shares
FROM (
  SELECT toFloat64(count()) AS call_count, min(started_at) AS first_start,
    ${has('op_name') ? sql`op_name` : sql`''`} AS cell_op_name, ${has('user') ? sql`user_id` : sql`''`} AS cell_user,
    ${has('thread_id') ? sql`thread_id` : sql`''`} AS cell_thread, provider, model,
    toFloat64(any(prompt_tokens)) AS input_tokens, ${joinSql(sums, ', ')}
  ${fromSelected(request, sql`shares = ''`)}
  GROUP BY ${joinSql(groupBy, ', ')}
)`
}

/** The calls with several models, as rows of `SpentCallsRow`. There are few. */
export function selectCallsOfSeveralModels(request: SpendRequest): Sql {
  const columns = usageColumns.map((column) => sql`toFloat64(${identifier(column)}) AS ${identifier(column)}`)
  return sql`SELECT toFloat64(1) AS call_count, started_at, op_name, user_id, thread_id, provider, model,
  toFloat64(0) AS input_tokens, ${joinSql(columns, ', ')}, shares
${fromSelected(request, sql`shares != ''`)}`
}

export const ModelRow = z.object({ model: z.string(), is_of_several: flag })

/**
 * The models of calls with one model, and whether there are calls of several. Not merged: some may be outdated, which only
 * loads a price too many.
 */
export function selectModels(request: SpendRequest): Sql {
  return sql`SELECT DISTINCT model, shares != '' AS is_of_several FROM spent_calls WHERE ${isSelected(request)}`
}

const hourSeconds = 3600

export const HourRow = z.object({
  hour: z.pipe(
    count,
    z.transform((hours) => hours * hourSeconds),
  ),
})

/** The hours of UTC, in seconds since 1970, in which calls may have started. */
export function selectHours(request: SpendRequest): Sql {
  return sql`SELECT DISTINCT intDiv(${seconds} + 2208988800, 3600) - 613608 AS hour FROM spent_calls WHERE ${isSelected(request)}`
}

/** The starts of all intervals that these hours touch, and of what is between them, sorted. */
export function findIntervals(hours: readonly number[], interval: NonNullable<SpendRequest['interval']>, timeZone: TimeZone) {
  const starts = new Set<number>()
  for (const hour of hours) {
    // Backwards from the end of the hour, because a change of clocks may begin an interval within it.
    for (let at = hour + hourSeconds - 1; ;) {
      const start = timeZone.startOf(interval, at)
      starts.add(start)
      starts.add(timeZone.endOf(interval, start))
      if (start <= hour) break
      at = start - 1
    }
  }
  return [...starts].toSorted((left, right) => left - right)
}
