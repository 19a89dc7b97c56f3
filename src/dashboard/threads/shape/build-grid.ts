import type { ThreadCell } from '../../../contract/thread-shape'
import { listLogTicks } from '../../ui/chart/log-ticks'
import { listDurationTicks } from './format-step'

/** A step of an axis: `value` is where it begins, `from` and `to` are places on the axis, 0 to 1. */
type Step = { value: number; from: number; to: number }

export type Grid = {
  columns: readonly Step[]
  rows: readonly Step[]
  cells: readonly { column: number; row: number; size: number; isFew: boolean }[]
  columnTicks: readonly number[]
  rowTicks: readonly number[]
  /** Where a value is on its axis. */
  toColumnShare: (turns: number) => number
  toRowShare: (milliseconds: number) => number
}

/** Faster than a millisecond is one step, whose start has no logarithm. */
const leastMs = 0.5

/** The cells on two logarithmic axes; undefined without any. Only steps that have threads are there to choose. */
export function buildGrid(cells: readonly ThreadCell[]): Grid | undefined {
  if (cells.length === 0) return undefined
  const maxCount = Math.max(...cells.map(({ thread_count }) => thread_count))
  const turns = toAxis(cells.map(({ from_turns, to_turns }) => ({ value: from_turns, from: from_turns, to: to_turns })))
  const p99 = toAxis(cells.map(({ from_ms, to_ms }) => ({ value: from_ms, from: Math.max(leastMs, from_ms), to: to_ms })))
  const find = (steps: readonly Step[], value: number) => steps.findIndex((step) => step.value === value)
  return {
    columns: turns.steps,
    rows: p99.steps,
    columnTicks: listLogTicks(turns.min, turns.max, 5),
    rowTicks: listDurationTicks(p99.min, p99.max, 4),
    toColumnShare: turns.toShare,
    toRowShare: p99.toShare,
    cells: cells.map(({ from_turns, from_ms, thread_count, threads }) => ({
      column: find(turns.steps, from_turns),
      row: find(p99.steps, from_ms),
      size: maxCount === 1 ? 0 : Math.log(thread_count) / Math.log(maxCount),
      isFew: threads.length > 0,
    })),
  }
}

function toAxis(ranges: readonly Step[]) {
  const min = Math.min(...ranges.map(({ from }) => from))
  const max = Math.max(...ranges.map(({ to }) => to))
  const toShare = (value: number) => Math.log(value / min) / Math.log(max / min)
  const steps = [...new Map(ranges.map((range) => [range.value, range])).values()]
    .toSorted((left, right) => left.value - right.value)
    .map(({ value, from, to }) => ({ value, from: toShare(from), to: toShare(to) }))
  return { min, max, toShare, steps }
}

/** How many threads have at least so many turns and at least this p99. */
export function countFrom(cells: readonly ThreadCell[], turns: number, milliseconds: number): number {
  return cells
    .filter(({ from_turns, from_ms }) => from_turns >= turns && from_ms >= milliseconds)
    .reduce((sum, { thread_count }) => sum + thread_count, 0)
}

type NamedThread = ThreadCell['threads'][number]

const maxSlowest = 3
/** Among fewer, all are seen at a glance. */
const minThreadsWithOutliers = 20

/**
 * Threads with hardly any others near them: at most three, each slower than all threads in company, and the one with most turns,
 * if it has more than all threads in company. None where there are fewer than 20 threads.
 */
export function findOutliers(cells: readonly ThreadCell[]): NamedThread[] {
  const count = (some: readonly ThreadCell[]) => some.reduce((sum, { thread_count }) => sum + thread_count, 0)
  const total = count(cells)
  if (total < minThreadsWithOutliers) return []
  const crowd = Math.max(3, total / 100)
  const isNear = (one: ThreadCell, other: ThreadCell) =>
    other.from_turns <= one.to_turns &&
    other.to_turns >= one.from_turns &&
    other.from_ms <= one.to_ms &&
    other.to_ms >= one.from_ms
  // Threads without a name are in company, however few.
  const isAlone = (cell: ThreadCell) => cell.threads.length > 0 && count(cells.filter((other) => isNear(cell, other))) <= crowd
  const [alone, inCompany] = [cells.filter(isAlone), cells.filter((cell) => !isAlone(cell))]
  const listBeyond = (key: 'from_ms' | 'from_turns') =>
    alone.filter((cell) => inCompany.every((other) => other[key] < cell[key])).flatMap(({ threads }) => threads)
  const slowest = listBeyond('from_ms').toSorted((left, right) => right.p99_turn_duration_ms - left.p99_turn_duration_ms)
  const longest = listBeyond('from_turns').toSorted((left, right) => right.turn_count - left.turn_count)
  return [...new Set([...slowest.slice(0, maxSlowest), ...longest.slice(0, 1)])]
}
