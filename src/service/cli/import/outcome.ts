import type { Problem } from '../../../contract/problem'

/** Why a line was refused: what was wrong and what would be right. */
export type LineProblem = { line: number; msg: string }

/** What became of some lines. */
export type Outcome = {
  /** Calls, spans or prices, as the format has them. */
  stored: number
  problems: LineProblem[]
  /** How many lines were left out on purpose, by reason. */
  skipped: Record<string, number>
}

export function nothing(): Outcome {
  return { stored: 0, problems: [], skipped: {} }
}

/** Adds `other` to `outcome`. */
export function add(outcome: Outcome, other: Outcome): Outcome {
  outcome.stored += other.stored
  outcome.problems.push(...other.problems)
  for (const [reason, count] of Object.entries(other.skipped)) outcome.skipped[reason] = (outcome.skipped[reason] ?? 0) + count
  return outcome
}

const mostTold = 5

/** Problems of one line in one text, each with its place below `depth` parts of its path; that it is in the body says nothing. */
export function textOf(problems: readonly Problem[], depth = 0): string {
  const told = problems.slice(0, mostTold).map(({ loc, msg }) => {
    const place = loc.slice(depth === 0 && loc[0] === 'body' ? 1 : depth).join('.')
    return place === '' ? msg : `${place}: ${msg}`
  })
  const rest = problems.length - told.length
  return `${told.join(' ')}${rest > 0 ? ` (and ${rest} more)` : ''}`
}
