/** A turn of a stratum, with its place in the order of the sample. */
export type RankedTurn = { id: string; stratum: string; rank: string }

/**
 * How many turns of each stratum a sample needs at most: with so many of each, or all where a stratum has fewer, it is full.
 *
 * @example findShare([100, 3, 50], 23) === 10 // 10 + 3 + 10
 */
export function findShare(turnCounts: readonly number[], size: number): number {
  let rest = size
  let share = 0
  const ascending = turnCounts.toSorted((left, right) => left - right)
  for (const [index, count] of ascending.entries()) {
    const open = ascending.length - index
    if ((count - share) * open >= rest) return share + Math.ceil(rest / open)
    rest -= (count - share) * open
    share = count
  }
  return share
}

/** Takes from each stratum in turn its next turn by rank, until there are `size`. The lowest rank goes first in each round. */
export function mergeStrata(turns: readonly RankedTurn[], size: number): RankedTurn[] {
  const rounds: RankedTurn[][] = []
  const taken = new Map<string, number>()
  for (const turn of turns.toSorted(compareRanks)) {
    const round = taken.get(turn.stratum) ?? 0
    taken.set(turn.stratum, round + 1)
    const others = rounds[round]
    if (others) others.push(turn)
    else rounds.push([turn])
  }
  return rounds.flat().slice(0, size)
}

/** Ranks are hexadecimal digits of one length. */
function compareRanks(left: RankedTurn, right: RankedTurn): number {
  return left.rank < right.rank ? -1 : left.rank > right.rank ? 1 : left.id < right.id ? -1 : 1
}
