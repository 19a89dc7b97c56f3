import { divideDecimals, multiplyDecimals, parsePlainDecimal, toDecimal, toNumber } from '../../../contract/decimal'
import { formatAmount } from '../../format/amount'
import type { BudgetState } from '../../../contract/budget'
import type { BarLine } from '../../ui/chart/StackedBars'
import type { Measure } from './build-spend-chart'
import type { SpendWindow } from './spend-window'

const hourMs = 3_600_000
/** Months differ. */
const hoursOfInterval = { hour: 1, day: 24, week: 7 * 24, month: undefined }

/** What a bar may be for the month to stay within its budget; undefined where the bars show something else. */
export function toBudgetLine(
  state: BudgetState | undefined,
  measure: Measure,
  interval: SpendWindow['interval'],
): BarLine | undefined {
  if (!state?.budget || !state.month) return undefined
  if (measure.kind !== 'spend' || measure.currency !== state.budget.currency) return undefined
  const monthHours = (Date.parse(state.month.to) - Date.parse(state.month.from)) / hourMs
  const share = divideDecimals(
    multiplyDecimals(parsePlainDecimal(state.budget.amount), toDecimal(hoursOfInterval[interval] ?? monthHours)),
    toDecimal(monthHours),
  )
  return { value: toNumber(share), label: `budget: ${formatAmount(share).text} a ${interval}` }
}
