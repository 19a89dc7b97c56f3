import type { LineProblem } from '../../../contract/price-files/format-problems'

/** What happened to some lines. */
export type BatchResult = {
  /** How many calls or spans. */
  stored: number
  problems: LineProblem[]
  /** How many lines were skipped on purpose, by reason. */
  skipped: Record<string, number>
}

export function createResult(values: Partial<BatchResult> = {}): BatchResult {
  return { stored: 0, problems: [], skipped: {}, ...values }
}

/** Adds `other` to `result`, with the problems in the order of their lines. */
export function addResult(result: BatchResult, other: BatchResult): BatchResult {
  result.stored += other.stored
  result.problems = [...result.problems, ...other.problems].toSorted((a, b) => a.line - b.line)
  for (const [reason, count] of Object.entries(other.skipped)) result.skipped[reason] = (result.skipped[reason] ?? 0) + count
  return result
}
