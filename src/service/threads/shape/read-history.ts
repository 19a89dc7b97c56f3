import * as z from 'zod/mini'
import type { TurnsOfInterval } from '../../../contract/thread-shape'
import type { StreamThreadHistory } from '../../../contract/thread-shape-requests'
import { TimeZone } from '../../spend/time-zone'
import { count } from '../../store/row-types'
import { type Sql, sql } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { type SelectedTurns, selectTurns, toTurnKey } from './selected-turns'
import { chooseInterval, listBoundaries } from './turn-intervals'
import { noTurns, readRange, readTotals, toIntervalStart, turnAggregates, turnFigures, type TurnTotals } from './turn-totals'

export type HistoryRequest = z.output<typeof StreamThreadHistory>

/** The turns that a filter finds, by the interval in which they started; all as one without an interval. */
export async function readHistory(store: Store, request: HistoryRequest, reader: QueryOptions): Promise<TurnsOfInterval[]> {
  const { interval, include_errors: hasErrors = false } = request
  const turns = await selectTurns(store, request, reader)
  if (interval === undefined) {
    const { totals } = await readTotals(store, turns)
    return [{ ...totals, ...(hasErrors && { error_count: await countErrors(store, turns) }) }]
  }
  const range = await readRange(store, turns)
  if (!range) return []
  const timeZone = new TimeZone(request.time_zone ?? 'UTC')
  const boundaries = await listBoundaries(interval === 'auto' ? chooseInterval(range) : interval, range, timeZone)
  const starts = boundaries.slice(0, -1)
  const totals = await readByInterval(store, turns, starts)
  const errors = hasErrors ? await countErrorsByInterval(store, turns, starts) : undefined
  return starts.map((start, index) =>
    Object.assign(
      { interval: timeZone.formatTime(start), interval_end: timeZone.formatTime(boundaries[index + 1] ?? start) },
      totals.get(start) ?? noTurns,
      errors && { error_count: errors.get(start) ?? 0 },
    ),
  )
}

const IntervalRow = z.object({ start: count, ...turnFigures })

async function readByInterval(
  store: Store,
  { fromTurns, options }: SelectedTurns,
  starts: readonly number[],
): Promise<ReadonlyMap<number, TurnTotals>> {
  const statement = sql`SELECT ${toIntervalStart(sql`started_at`, starts)} AS start, ${turnAggregates} ${fromTurns} GROUP BY start`
  const rows = await store.query(statement, IntervalRow, options)
  return new Map(rows.map(({ start, ...totals }) => [start, totals]))
}

const ErrorRow = z.object({ start: count, error_count: count })

async function countErrorsByInterval(
  store: Store,
  turns: SelectedTurns,
  starts: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await readErrors(store, turns, toIntervalStart(sql`turn_started_at`, starts))
  return new Map(rows.map(({ start, error_count }) => [start, error_count]))
}

async function countErrors(store: Store, turns: SelectedTurns): Promise<number> {
  const [row] = await readErrors(store, turns, sql`toInt64(0)`)
  return row?.error_count ?? 0
}

/** Calls below no turn are left out, like those of other turns. */
async function readErrors(store: Store, { fromFailedCalls, fromTurns, options }: SelectedTurns, start: Sql) {
  const statement = sql`SELECT ${start} AS start, count() AS error_count ${fromFailedCalls}
  AND ${toTurnKey(sql`turn_started_at`)} IN (SELECT ${toTurnKey(sql`started_at`)} ${fromTurns}) GROUP BY start`
  return store.query(statement, ErrorRow, options)
}
