import type { SpendGroup } from '../../../contract/spend'
import { parsePlainDecimal } from '../../../contract/decimal'
import { formatAmount, formatCurrency } from '../../format/amount'
import { formatCount } from '../../format/count'
import { toCommonTail } from '../../format/money'
import { listCurrencies, readBlendedPrice } from './spend-figures'
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
  /** Pixels of the slot for currencies where they differ. */
  currencyWidth: number
  /** Pixels that the longest amount needs: none is cut. */
  amountWidth: number
  blendedWidth: number
  whatIfWidth: number
  /** Pixels that the longest count of a column needs. */
  countWidths: Readonly<Record<CountField, number>>
  /** All calls of the window as one group; undefined until it is read. */
  total: SpendGroup | undefined
  /** What the ops on screen are called; empty where the groups are no ops. */
  opNames: ReadonlyMap<string, string>
  /** The colour of a group in the chart. */
  seriesIndexes: ReadonlyMap<string, number>
  /** The values of each interval, by group; undefined until they are read. */
  trends: ReadonlyMap<string, readonly number[]> | undefined
}

// Pixels: a digit of the usual fonts at 13 px, a letter of the currency behind it, the padding of a cell, the mark of a lower
// bound, a change in percent.
const digitWidth = 8.4
const letterWidth = 9.2
const cellPadding = 22
const markWidth = 14
const changeWidth = 72
const currencyGap = 6
// A currency is free text. What is longer is cut, and shown in full beside the pointer.
const maxCurrencyLength = 8

/** The part that depends on the rows alone. A row with amounts in several currencies has a line for each. */
export function measureAmounts(
  rows: readonly SpendGroup[],
): Pick<SpendDisplay, 'currency' | 'tailLength' | 'currencyWidth' | 'amountWidth' | 'blendedWidth' | 'whatIfWidth'> {
  const currencies = listCurrencies(rows)
  const isMixed = currencies.length > 1
  const repriced = rows.flatMap((row) => row.repriced ?? [])
  const toSlot = (names: readonly string[]) =>
    Math.ceil(Math.min(maxCurrencyLength, Math.max(0, ...names.map((name) => formatCurrency(name).length))) * letterWidth)
  const currencyWidth = isMixed ? toSlot(currencies) : 0
  const amounts = rows.flatMap(({ costs }) => costs.map(({ total }) => formatAmount(parsePlainDecimal(total))))
  const tailLength = toCommonTail(amounts.map(({ text, pointIndex }) => text.length - pointIndex))
  const toWidth = (lengths: readonly number[]) => Math.ceil(Math.max(0, ...lengths) * digitWidth) + cellPadding
  const boundWidth = rows.some((row) => row.unpriced_call_count > 0 && row.costs.length > 0) ? markWidth : 0
  const whatIfCurrencies = repriced.map(({ currency }) => currency).filter((each) => isMixed || each !== currencies[0])
  return {
    currency: isMixed ? undefined : currencies[0],
    tailLength,
    currencyWidth,
    amountWidth:
      toWidth(amounts.map(({ text, pointIndex }) => Math.max(text.length, pointIndex + tailLength))) +
      boundWidth +
      (isMixed ? currencyGap + currencyWidth : 0),
    blendedWidth: toWidth(
      rows.map((row) => {
        const price = readBlendedPrice(row)
        return price ? formatAmount(price.amount).text.length : 0
      }),
    ),
    whatIfWidth:
      toWidth(repriced.map(({ total }) => formatAmount(parsePlainDecimal(total)).text.length)) +
      changeWidth +
      (whatIfCurrencies.length > 0 ? currencyGap + toSlot(whatIfCurrencies) : 0),
  }
}

export function measureCounts(rows: readonly SpendGroup[]): SpendDisplay['countWidths'] {
  const toWidth = (field: CountField) => Math.max(0, ...rows.map((row) => formatCount(String(row[field])).length)) * digitWidth
  const widths = countFields.map((field) => [field, Math.ceil(toWidth(field)) + cellPadding])
  return Object.fromEntries(widths) as Record<CountField, number> // of every field
}
