import type { TurnsOfInterval } from '../../../contract/thread-shape'
import { formatCount } from '../../format/count'
import { formatDuration } from '../../format/duration'
import { fewTurnsLimit } from '../turns/few-turns'

type Verdict = 'slower' | 'faster'
export type ComparedFigure = { name: string; before: string; after: string; change: string; verdict?: Verdict }

/** A smaller change of a percentile is within what changes from day to day. */
const minChange = 0.05

/** The figures of two windows side by side. `isSameLength`: counts of both windows can be compared. */
export function compareFigures(before: TurnsOfInterval, after: TurnsOfInterval, isSameLength: boolean): ComparedFigure[] {
  const areEnough = before.finished_turn_count >= fewTurnsLimit && after.finished_turn_count >= fewTurnsLimit
  const compareCounts = (name: string, read: (turns: TurnsOfInterval) => number): ComparedFigure => ({
    name,
    before: formatCount(String(read(before))),
    after: formatCount(String(read(after))),
    change: isSameLength ? formatChange(read(before), read(after)) : '',
  })
  const toRate = ({ error_count: count = 0, turn_count: turns }: TurnsOfInterval) => (turns === 0 ? null : (count / turns) * 100)
  return [
    compareDurations('p50', before.p50_turn_duration_ms, after.p50_turn_duration_ms, areEnough),
    compareDurations('p99', before.p99_turn_duration_ms, after.p99_turn_duration_ms, areEnough),
    compareCounts('Turns', ({ turn_count }) => turn_count),
    compareCounts('Threads', ({ thread_count }) => thread_count),
    compareCounts('Errors', ({ error_count = 0 }) => error_count),
    {
      name: 'Errors per 100 turns',
      before: formatRate(toRate(before)),
      after: formatRate(toRate(after)),
      change: formatChange(toRate(before), toRate(after)),
    },
  ]
}

function compareDurations(name: string, before: number | null, after: number | null, areEnough: boolean): ComparedFigure {
  const format = (value: number | null) => (value === null ? '—' : formatDuration(value))
  const figure = { name, before: format(before), after: format(after), change: formatChange(before, after) }
  if (!areEnough || before === null || after === null || before === 0) return figure
  const change = after / before - 1
  return Math.abs(change) < minChange ? figure : { ...figure, verdict: change > 0 ? 'slower' : 'faster' }
}

function formatRate(rate: number | null): string {
  return rate === null ? '—' : rate.toFixed(1)
}

/** `+45 %`, `−3.2 %`; nothing where there is nothing to compare with. */
export function formatChange(before: number | null, after: number | null): string {
  if (before === null || after === null || before === 0) return ''
  const percent = (after / before - 1) * 100
  const size = Math.abs(percent)
  const text = size >= 99.5 ? formatCount(String(Math.round(size))) : size.toFixed(1)
  return `${text === '0.0' ? '±' : percent > 0 ? '+' : '−'}${text} %`
}
