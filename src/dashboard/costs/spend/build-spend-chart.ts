import { addDecimals, type Decimal, subtractDecimals, toDecimal, zero } from '../../../contract/decimal'
import type { SpendGroup } from '../../../contract/spend'
import { readKey } from './spend-rows'
import { countTokens, readTotal, sumDecimals } from './spend-figures'
import type { SpendGroupKey, SpendView } from './spend-view'

export type Measure = { kind: SpendView['bars']; currency: string }

/** The values of one group, one for each interval. `key` is null for all groups that have no series of their own. */
export type SpendSeries = { key: string | null; values: readonly Decimal[]; sum: Decimal }

export type SpendChartData = { starts: readonly number[]; series: readonly SpendSeries[]; totals: readonly Decimal[] }

/** More colours than these cannot be told apart. */
export const maxChartGroups = 7

type Options = {
  starts: readonly number[]
  /** Every call by interval. */
  intervals: readonly SpendGroup[]
  /** By group and interval: at least those of `keys`. */
  groups: readonly SpendGroup[]
  group: SpendGroupKey
  /** The groups with a series of their own, the largest first. */
  keys: readonly string[]
  measure: Measure
}

/** The bars of the chart: the largest groups, and the rest of each interval as one more. */
export function buildSpendChart({ starts, intervals, groups, group, keys, measure }: Options): SpendChartData {
  const totals = toValues(starts, intervals, measure)
  const own = keys.map((key): SpendSeries => {
    const values = toValues(
      starts,
      groups.filter((each) => readKey(each, group) === key),
      measure,
    )
    return { key, values, sum: sumDecimals(values) }
  })
  const rest = totals.map((total, index) => {
    const left = own.reduce((sum, { values }) => subtractDecimals(sum, values[index] ?? zero), total)
    // A call with two models counts in both, so calls by model may be more than all calls.
    return left.digits < 0n ? zero : left
  })
  const restSum = sumDecimals(rest)
  return { starts, totals, series: restSum.digits === 0n ? own : [...own, { key: null, values: rest, sum: restSum }] }
}

/** One value for each interval; 0 where nothing was spent. */
export function toValues(starts: readonly number[], groups: readonly SpendGroup[], measure: Measure): Decimal[] {
  const values = new Map<number, Decimal>()
  for (const group of groups) {
    const start = Date.parse(group.interval ?? '')
    values.set(start, addDecimals(values.get(start) ?? zero, measureGroup(group, measure)))
  }
  return starts.map((start) => values.get(start) ?? zero)
}

export function measureGroup(group: SpendGroup, { kind, currency }: Measure): Decimal {
  if (kind === 'spend') return readTotal(group, currency) ?? zero
  return toDecimal(kind === 'calls' ? group.call_count : countTokens(group))
}
