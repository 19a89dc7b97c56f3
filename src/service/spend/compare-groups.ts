import { compareText } from '../../contract/compare-text'
import { compareDecimals, type Decimal, toNumber } from '../../contract/decimal'
import type { SpendKey } from '../../contract/spend'
import type { Group } from './group-total'
import type { SpendRequest } from './spend-request'

type SortKey = NonNullable<SpendRequest['sort_by']>[number]

/** `nearest` is the nearest double of `exact`: doubles that differ are in the order of the exact amounts. */
export type TotalRank = { currency: string; nearest: number; exact: Decimal }
export type Rank = string | number | TotalRank | null

/** A group with the values that it is sorted by, worked out once: a sort compares each group many times. */
export type RankedGroup = { group: Group; ranks: readonly Rank[] }

const largestTotalFirst: SortKey = { field: 'total', direction: 'desc' }

/**
 * Orders groups by the keys of a request, by default the largest total first, then by what they are grouped by. Nulls, and
 * groups without money, are last in both directions. Amounts of different currencies are not compared: groups with USD come
 * before those without, which are in the order of their least currency codes.
 */
export class GroupOrder {
  private readonly sort: readonly SortKey[]

  constructor(sortBy: readonly SortKey[], keys: readonly SpendKey[]) {
    this.sort = [
      ...(sortBy.length > 0 ? sortBy : [largestTotalFirst]),
      ...keys.map((field) => ({ field, direction: 'asc' }) as const),
    ]
  }

  rank(group: Group): RankedGroup {
    const values: Readonly<Record<string, string | number | null | undefined>> = { ...group.keys, ...group.total.figures }
    return { group, ranks: this.sort.map(({ field }) => (field === 'total' ? rankTotal(group) : (values[field] ?? null))) }
  }

  readonly compare = (left: RankedGroup, right: RankedGroup): number => {
    for (const [index, { direction }] of this.sort.entries()) {
      const order = compareRanks(left.ranks[index] ?? null, right.ranks[index] ?? null, direction === 'asc' ? 1 : -1)
      if (order !== 0) return order
    }
    return 0
  }
}

function rankTotal({ total }: Group): TotalRank | null {
  const { sortAmount } = total
  return sortAmount ? { currency: sortAmount.currency, nearest: toNumber(sortAmount.total), exact: sortAmount.total } : null
}

/** Nulls are last, whatever the sign. */
export function compareRanks(left: Rank, right: Rank, sign: 1 | -1): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null)
  if (typeof left === 'object' && typeof right === 'object') return compareTotals(left, right, sign)
  if (typeof left === 'number' && typeof right === 'number') return sign * (left - right)
  return typeof left === 'string' && typeof right === 'string' ? sign * compareText(left, right) : 0
}

function compareTotals(left: TotalRank, right: TotalRank, sign: 1 | -1): number {
  if (left.currency !== right.currency) {
    return Number(right.currency === 'USD') - Number(left.currency === 'USD') || compareText(left.currency, right.currency)
  }
  if (left.nearest !== right.nearest) return sign * (left.nearest < right.nearest ? -1 : 1)
  return sign * compareDecimals(left.exact, right.exact)
}
