import type { SpendGroup } from '../../../contract/spend'
import { parsePlainDecimal } from '../../../contract/decimal'
import { formatCount } from '../../format/count'
import { toCommonTail } from '../../format/money'
import { formatVisibleText } from '../../format/visible-text'
import { formatAmount, listCurrencies } from './spend-figures'
import type { SpendGroupKey } from './spend-view'

const countFields = [
  'call_count',
  'prompt_tokens',
  'completion_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const
export type CountField = (typeof countFields)[number]

/** What the cells of the spend table need beside their row. */
export type SpendDisplay = {
  group: SpendGroupKey
  /** The one currency of all amounts on screen; undefined where they differ. */
  currency: string | undefined
  /** Characters from the point on: the points of a column are aligned. */
  tailLength: number
  /** Pixels that the row with the longest amounts needs: it has one for each currency, and none is cut. */
  amountWidth: number
  /** Pixels that the longest count of a column needs. */
  countWidths: Readonly<Record<CountField, number>>
  /** All calls of the window as one group; undefined until it is read. */
  total: SpendGroup | undefined
  /** The colour of a group in the chart. */
  seriesIndexes: ReadonlyMap<string, number>
  /** The values of each interval, by group; undefined until they are read. */
  trends: ReadonlyMap<string, readonly number[]> | undefined
}

// Pixels: a digit of the usual fonts at 13 px, a letter of the currency behind it, the spaces around that, and the padding of a cell with the mark of a lower bound.
const digitWidth = 8.4
const letterWidth = 9.2
const spaceWidth = 10
const paddingWidth = 38
const cellPadding = 22
// A currency is free text. The tooltip has all of it.
const maxCurrencyLength = 16

/** The part that depends on the rows alone. */
export function measureAmounts(rows: readonly SpendGroup[]): Pick<SpendDisplay, 'currency' | 'tailLength' | 'amountWidth'> {
  const currencies = listCurrencies(rows)
  const amountsOfRows = rows.map(({ costs }) =>
    costs.map(({ total, currency }) => ({ ...formatAmount(parsePlainDecimal(total)), currency: formatVisibleText(currency) })),
  )
  const tailLength = toCommonTail(amountsOfRows.flat().map(({ text, pointIndex }) => text.length - pointIndex))
  const isMixed = currencies.length > 1
  const widths = amountsOfRows.map((amounts) =>
    amounts.reduce((sum, { text, pointIndex, currency }, index) => {
      // The last amount of a row is aligned.
      const length = index < amounts.length - 1 ? text.length : Math.max(text.length, pointIndex + tailLength)
      return sum + length * digitWidth + (isMixed ? Math.min(currency.length, maxCurrencyLength) * letterWidth + spaceWidth : 0)
    }, 0),
  )
  return {
    currency: isMixed ? undefined : currencies[0],
    tailLength,
    amountWidth: Math.ceil(Math.max(0, ...widths)) + paddingWidth,
  }
}

export function measureCounts(rows: readonly SpendGroup[]): SpendDisplay['countWidths'] {
  const toWidth = (field: CountField) => Math.max(0, ...rows.map((row) => formatCount(String(row[field])).length)) * digitWidth
  const widths = countFields.map((field) => [field, Math.ceil(toWidth(field)) + cellPadding])
  return Object.fromEntries(widths) as Record<CountField, number> // of every field
}
