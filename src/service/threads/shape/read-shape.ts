import * as z from 'zod/mini'
import type { ThreadCell, ThreadShape } from '../../../contract/thread-shape'
import type { ReadThreadShape } from '../../../contract/thread-shape-requests'
import { durationMicroseconds } from '../../derive/thread-columns'
import { TimeZone } from '../../spend/time-zone'
import { roundDownTo } from '../../store/round-down'
import { count } from '../../store/row-types'
import { sql, uint64 } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { coarseDurationStepsMs, countSteps, durationStepsMs, endOfStep } from './log-steps'
import { type SelectedTurns, selectTurns } from './selected-turns'
import { chooseInterval, listBoundaries, type TurnRange } from './turn-intervals'
import { readTotals, toIntervalStart } from './turn-totals'

export type ShapeRequest = z.output<typeof ReadThreadShape>

/** The threads that a filter finds, and their turns in its window, as distributions. */
export async function readShape(store: Store, request: ShapeRequest, reader: QueryOptions): Promise<ThreadShape> {
  const turns = await selectTurns(store, request, reader)
  const { totals, range } = await readTotals(store, turns)
  return {
    ...totals,
    starts: range ? await readStarts(store, turns, range, request) : [],
    durations: await readDurations(store, turns),
    threads: await readCells(store, turns),
  }
}

const StartsRow = z.object({ start: count, turn_count: count, thread_count: count })

async function readStarts(
  store: Store,
  turns: SelectedTurns,
  range: TurnRange,
  { interval = 'auto', time_zone: zone = 'UTC' }: ShapeRequest,
): Promise<ThreadShape['starts']> {
  const timeZone = new TimeZone(zone)
  const boundaries = await listBoundaries(interval === 'auto' ? chooseInterval(range) : interval, range, timeZone)
  const starts = boundaries.slice(0, -1)
  const statement = sql`SELECT ${toIntervalStart(sql`started_at`, starts)} AS start, count() AS turn_count,
  uniqExact(thread_id) AS thread_count ${turns.fromTurns} GROUP BY start`
  const rows = new Map((await store.query(statement, StartsRow, turns.options)).map((row) => [row.start, row]))
  return starts.map((start, index) => ({
    interval: timeZone.formatTime(start),
    interval_end: timeZone.formatTime(boundaries[index + 1] ?? start),
    turn_count: rows.get(start)?.turn_count ?? 0,
    thread_count: rows.get(start)?.thread_count ?? 0,
  }))
}

const DurationRow = z.object({ from_us: count, turn_count: count })

async function readDurations(store: Store, { fromTurns, options }: SelectedTurns): Promise<ThreadShape['durations']> {
  const stepsUs = durationStepsMs.map((ms) => Math.round(ms * 1000))
  const statement = sql`SELECT ${roundDownTo(durationMicroseconds, stepsUs)} AS from_us, count() AS turn_count
${fromTurns} AND ended_at IS NOT NULL GROUP BY from_us`
  const rows = new Map((await store.query(statement, DurationRow, options)).map((row) => [row.from_us / 1000, row.turn_count]))
  const first = durationStepsMs.findIndex((step) => rows.has(step))
  const last = durationStepsMs.findLastIndex((step) => rows.has(step))
  return durationStepsMs.slice(first < 0 ? durationStepsMs.length : first, last + 1).map((from_ms) => ({
    from_ms,
    to_ms: endOfStep(durationStepsMs, from_ms),
    turn_count: rows.get(from_ms) ?? 0,
  }))
}

/** A cell with more is a crowd, and who is in it says nothing. */
const maxNamedPerCell = 3
/** In all cells together, the slowest first. */
const maxNamed = 300

const CellRow = z.object({
  from_turns: count,
  from_us: count,
  thread_count: count,
  threads: z.array(z.tuple([z.string(), z.number(), z.number()])),
})

async function readCells(store: Store, { threads, options }: SelectedTurns): Promise<ThreadCell[]> {
  const stepsUs = coarseDurationStepsMs.map((ms) => Math.round(ms * 1000))
  // Rounded down to whole microseconds: no step is between two of them.
  const p99Us = sql`toInt64(floor(p99 * 1000))`
  const statement = sql`
SELECT from_turns, from_us, count() AS thread_count,
  if(thread_count > ${uint64(maxNamedPerCell)}, [], groupArray(${uint64(maxNamedPerCell)})((thread_id, turn_count, p99))) AS threads
FROM (
  SELECT thread_id, turn_count, assumeNotNull(p99_turn_duration_ms) AS p99,
    ${roundDownTo(sql`turn_count`, countSteps)} AS from_turns, ${roundDownTo(p99Us, stepsUs)} AS from_us
  FROM (${threads}) WHERE p99_turn_duration_ms IS NOT NULL
)
GROUP BY from_turns, from_us ORDER BY from_us DESC, from_turns DESC`
  const rows = await store.query(statement, CellRow, options)
  let namedCount = 0
  return rows.map(({ from_turns, from_us, thread_count, threads: named }) => {
    const isNamed = namedCount + named.length <= maxNamed
    if (isNamed) namedCount += named.length
    const from_ms = from_us / 1000
    return {
      from_turns,
      to_turns: endOfStep(countSteps, from_turns),
      from_ms,
      to_ms: endOfStep(coarseDurationStepsMs, from_ms),
      thread_count,
      threads: (isNamed ? named : [])
        .map(([thread_id, turn_count, p99_turn_duration_ms]) => ({ thread_id, turn_count, p99_turn_duration_ms }))
        .toSorted((left, right) => right.p99_turn_duration_ms - left.p99_turn_duration_ms),
    }
  })
}
