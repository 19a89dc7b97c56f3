import type { Problem } from '../../../contract/problem'

/** Why a line is refused: what is wrong and what would be right. */
export type LineProblem = { line: number; msg: string }

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

const maxProblemsPerLine = 5

/** Formats the problems of one line as one text. The first `skippedParts` parts of each path are left out, and so is "body". */
export function formatProblems(problems: readonly Problem[], skippedParts = 0): string {
  const texts = problems.slice(0, maxProblemsPerLine).map(({ loc, msg }) => {
    const path = loc.slice(skippedParts === 0 && loc[0] === 'body' ? 1 : skippedParts).join('.')
    return path === '' ? msg : `${path}: ${msg}`
  })
  const moreCount = problems.length - texts.length
  return `${texts.join(' ')}${moreCount > 0 ? ` (and ${moreCount} more)` : ''}`
}
