import type { SpendGroup } from '../../../contract/spend'
import { parsePlainDecimal } from '../../../contract/decimal'
import { formatAmount, listCurrencies } from './spend-figures'
import type { SpendGroupKey } from './spend-view'

/** What the cells of the spend table need beside their row. */
export type SpendDisplay = {
  group: SpendGroupKey
  /** The one currency of all amounts on screen; undefined where they differ. */
  currency: string | undefined
  /** The most characters from the point on: the points of a column are aligned. */
  tailLength: number
  /** Pixels that the row with the longest amounts needs: it has one for each currency, and none is cut. */
  amountWidth: number
  /** All calls of the window as one group; undefined until it is read. */
  total: SpendGroup | undefined
  /** The colour of a group in the chart. */
  seriesIndexes: ReadonlyMap<string, number>
  /** The values of each interval, by group; undefined until they are read. */
  trends: ReadonlyMap<string, readonly number[]> | undefined
}

// Pixels: a digit of the usual fonts at 13 px, a currency behind it, and the padding of a cell with the mark of a lower bound.
const digitWidth = 8.4
const currencyWidth = 44
const paddingWidth = 38

/** The part that depends on the rows alone. */
export function measureAmounts(rows: readonly SpendGroup[]): Pick<SpendDisplay, 'currency' | 'tailLength' | 'amountWidth'> {
  const currencies = listCurrencies(rows)
  const amountsOfRows = rows.map(({ costs }) => costs.map(({ total }) => formatAmount(parsePlainDecimal(total))))
  const tailLength = Math.max(0, ...amountsOfRows.flat().map(({ text, pointIndex }) => text.length - pointIndex))
  const isMixed = currencies.length > 1
  const widths = amountsOfRows.map((amounts) =>
    amounts.reduce((sum, { pointIndex }) => sum + (tailLength + pointIndex) * digitWidth + (isMixed ? currencyWidth : 0), 0),
  )
  return {
    currency: isMixed ? undefined : currencies[0],
    tailLength,
    amountWidth: Math.ceil(Math.max(0, ...widths)) + paddingWidth,
  }
}
