import { compareText } from '../../contract/compare-text'
import { addDecimals, type Decimal, multiplyDecimals } from '../../contract/decimal'
import type { SpendKey } from '../../contract/spend'
import type { Group, KeyValues } from './group-total'
import type { SpendRequest } from './spend-request'

type SortKey = NonNullable<SpendRequest['sort_by']>[number]

const largestTotalFirst: SortKey = { field: 'total', direction: 'desc' }

/**
 * Orders groups by the keys of a request, by default the largest total first, then by what they are grouped by. Nulls, and
 * groups without money, are last in both directions. Amounts of different currencies are not compared: groups with USD come
 * before those without, which are in the order of their least currency codes.
 */
export function compareGroups(sortBy: readonly SortKey[], keys: readonly SpendKey[]): (left: Group, right: Group) => number {
  const sort: readonly SortKey[] = [
    ...(sortBy.length > 0 ? sortBy : [largestTotalFirst]),
    ...keys.map((field) => ({ field, direction: 'asc' }) as const),
  ]
  return (left, right) => {
    for (const { field, direction } of sort) {
      const order = compareBy(field, left, right, direction === 'asc' ? 1 : -1)
      if (order !== 0) return order
    }
    return 0
  }
}

function compareBy(field: SortKey['field'], left: Group, right: Group, sign: 1 | -1): number {
  if (field === 'total') return compareTotals(left, right, sign)
  const values = [left, right].map(({ keys, total }) => ({ ...(keys as Required<KeyValues>), ...total.figures })[field])
  const [one = null, other = null] = values
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return sign * (typeof one === 'number' && typeof other === 'number' ? one - other : compareText(String(one), String(other)))
}

function compareTotals(left: Group, right: Group, sign: 1 | -1): number {
  const [one, other] = [left.total.sortAmount, right.total.sortAmount]
  if (!one || !other) return Number(!one) - Number(!other)
  if (one.currency !== other.currency) {
    return Number(other.currency === 'USD') - Number(one.currency === 'USD') || compareText(one.currency, other.currency)
  }
  return sign * signOf(addDecimals(one.total, multiplyDecimals(other.total, minusOne)))
}

const minusOne: Decimal = { digits: -1n, scale: 0 }

function signOf({ digits }: Decimal): number {
  return digits === 0n ? 0 : digits < 0n ? -1 : 1
}
