import type { ThreadShape, TurnsOfInterval } from '../../../../contract/thread-shape'
import {
  percentileMs,
  referenceThreads,
  referenceTurns,
  type ReferenceTurn,
  toMicroseconds,
} from '../../../derive/testing/reference-threads'
import type { CallRow } from '../../../ingest/call-row'
import { TimeZone } from '../../../spend/time-zone'
import type { SearchFilter } from '../../search/search-request'
import { coarseDurationStepsMs, countSteps, durationStepsMs } from '../log-steps'

// The plain definition of `/threads/shape` and `/threads/history`: one turn after the other, in TypeScript.

type Interval = 'hour' | 'day' | 'week' | 'month'
type Selection = { parts: readonly CallRow[]; filter: Partial<SearchFilter> }

function findThreads({ parts, filter }: Selection) {
  const { after_datetime: after, before_datetime: before } = filter
  return referenceThreads(parts, { ...(after && { after }), ...(before && { before }) }).filter(
    ({ thread_id: id, turn_count, p50_turn_duration_ms: p50, p99_turn_duration_ms: p99 }) =>
      (!filter.thread_ids?.length || filter.thread_ids.includes(id)) &&
      id.startsWith(filter.thread_id_prefix ?? '') &&
      turn_count >= (filter.min_turns ?? 0) &&
      (filter.min_p50_ms === undefined || (p50 !== null && p50 >= filter.min_p50_ms)) &&
      (filter.min_p99_ms === undefined || (p99 !== null && p99 >= filter.min_p99_ms)),
  )
}

function findTurns(selection: Selection): ReferenceTurn[] {
  const ids = new Set(findThreads(selection).map(({ thread_id: id }) => id))
  const after = toMicroseconds(selection.filter.after_datetime)
  const before = toMicroseconds(selection.filter.before_datetime)
  return referenceTurns(selection.parts).filter(
    ({ threadId, start }) =>
      ids.has(threadId) && (after === undefined || start > after) && (before === undefined || start < before),
  )
}

function durationsOf(turns: readonly ReferenceTurn[]): bigint[] {
  return turns.flatMap(({ start, end }) => (end === undefined ? [] : [end > start ? end - start : 0n]))
}

function describe(turns: readonly ReferenceTurn[]) {
  const durations = durationsOf(turns)
  return {
    turn_count: turns.length,
    finished_turn_count: durations.length,
    thread_count: new Set(turns.map(({ threadId }) => threadId)).size,
    p50_turn_duration_ms: percentileMs(durations, 50),
    p99_turn_duration_ms: percentileMs(durations, 99),
  }
}

function byInterval(turns: readonly ReferenceTurn[], interval: Interval, zone: string) {
  const timeZone = new TimeZone(zone)
  const toStart = ({ start }: ReferenceTurn) => timeZone.startOf(interval, Math.floor(Number(start) / 1e6))
  const starts = turns.map(toStart)
  const lines = []
  for (let start = Math.min(...starts); start <= Math.max(...starts); start = timeZone.endOf(interval, start)) {
    lines.push({
      interval: timeZone.formatTime(start),
      interval_end: timeZone.formatTime(timeZone.endOf(interval, start)),
      turns: turns.filter((turn) => toStart(turn) === start),
    })
  }
  return lines
}

export function referenceHistory(selection: Selection, interval: Interval | undefined, zone: string): TurnsOfInterval[] {
  const turns = findTurns(selection)
  if (interval === undefined) return [describe(turns)]
  return byInterval(turns, interval, zone).map(({ turns: own, interval: start, interval_end }) =>
    Object.assign({ interval: start, interval_end }, describe(own)),
  )
}

export function referenceShape(selection: Selection, interval: Interval, zone: string): ThreadShape {
  const turns = findTurns(selection)
  const durationsMs = durationsOf(turns).map((each) => Number(each) / 1000)
  const threads = findThreads(selection).flatMap(({ thread_id, turn_count, p99_turn_duration_ms: p99 }) =>
    p99 === null ? [] : [{ thread_id, turn_count, p99_turn_duration_ms: p99 }],
  )
  const counts = toSteps(durationStepsMs).map((step) => ({
    from_ms: step.from,
    to_ms: step.to,
    turn_count: durationsMs.filter((each) => isIn(each, step)).length,
  }))
  return {
    ...describe(turns),
    starts: byInterval(turns, interval, zone).map(({ turns: own, interval: start, interval_end }) => ({
      interval: start,
      interval_end,
      turn_count: own.length,
      thread_count: describe(own).thread_count,
    })),
    durations: counts.slice(
      counts.findIndex(({ turn_count }) => turn_count > 0) >>> 0,
      counts.findLastIndex(({ turn_count }) => turn_count > 0) + 1,
    ),
    threads: toSteps(coarseDurationStepsMs)
      .toReversed()
      .flatMap((ofDuration) =>
        toSteps(countSteps)
          .toReversed()
          .flatMap((ofTurns) => {
            const own = threads.filter((each) => isIn(each.turn_count, ofTurns) && isIn(each.p99_turn_duration_ms, ofDuration))
            if (own.length === 0) return []
            return {
              from_turns: ofTurns.from,
              to_turns: ofTurns.to,
              from_ms: ofDuration.from,
              to_ms: ofDuration.to,
              thread_count: own.length,
              threads: own.length > 3 ? [] : own,
            }
          }),
      ),
  }
}

type Step = { from: number; to: number }

function toSteps(starts: readonly number[]): Step[] {
  return starts.map((from, index) => ({ from, to: starts[index + 1] ?? from * 10 }))
}

function isIn(value: number, { from, to }: Step): boolean {
  return value >= from && value < to
}
