import type { Problem } from '../problem'

/** Why a line of a file is refused: what is wrong and what would be right. */
export type LineProblem = { line: number; msg: string }

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
