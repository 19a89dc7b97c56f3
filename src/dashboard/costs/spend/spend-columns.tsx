import {
  type Decimal,
  divideDecimals,
  formatPlainDecimal,
  roundToSignificantDigits,
  toNumber,
  zero,
} from '../../../contract/decimal'
import type { SpendGroup } from '../../../contract/spend'
import { formatCurrency } from '../../format/amount'
import { formatCount } from '../../format/count'
import { ForeignText } from '../../format/ForeignText'
import { cutMiddle, formatVisibleText } from '../../format/visible-text'
import type { Column } from '../../table/column'
import { currencyColumn, formatExportedSums } from '../../table/money-columns'
import { Amount } from './Amount'
import { formatShare, listCurrencies, readBlendedPrice, readTotal } from './spend-figures'
import type { CountField, SpendDisplay } from './spend-display'
import { readKey } from './spend-rows'
import { findGroup, formatUnnamed, type ReferenceModel, type SpendGroupKey } from './spend-view'
import { Trend } from './Trend'
import { AddPriceLink, Unpriced } from './Unpriced'
import { WhatIfCell, readRepriced } from './WhatIfCell'

export type SpendColumn = Column<SpendGroup, SpendDisplay>

const unknown = <span className="text-faint">—</span>

function keyColumn(group: SpendGroupKey): SpendColumn {
  const { label } = findGroup(group)
  return {
    id: group,
    label,
    width: 220,
    cell: (row, { seriesIndexes, opNames }) => {
      const key = readKey(row, group)
      const series = key === null ? undefined : seriesIndexes.get(key)
      return (
        <>
          {series !== undefined && <span aria-hidden="true" className={`series-mark series-${series}`} />}
          {key === null ? (
            <span className="text-quiet">{formatUnnamed(group)}</span>
          ) : (
            <ForeignText text={opNames.get(key) ?? (key || '(empty)')} title={key || '(empty)'} isOneLine />
          )}
        </>
      )
    },
    exportValue: (row) => readKey(row, group),
  }
}

const total: SpendColumn = {
  id: 'total',
  label: 'Spend',
  unit: ({ currency }) => currency && formatCurrency(currency),
  width: ({ amountWidth }) => Math.max(100, amountWidth),
  align: 'end',
  cell: (row, display) => {
    if (row.costs.length === 0) {
      if (row.unpriced_call_count === 0) return unknown
      const model = display.group === 'model' ? row.model : undefined
      return model ? <AddPriceLink model={model} text="no price" /> : <span className="text-faint">no price</span>
    }
    const currencies = listCurrencies([row])
    return currencies.map((currency) => {
      const amount = readTotal(row, currency)
      return (
        amount && (
          <span key={currency} className={currencies.length > 1 ? 'amount-line' : undefined}>
            <Amount
              amount={amount}
              currency={currency}
              isCurrencyShown={display.currency === undefined}
              tailLength={display.tailLength}
              currencyWidth={display.currencyWidth}
              isLowerBound={row.unpriced_call_count > 0}
            />
          </span>
        )
      )
    })
  },
  exportValue: (row) => formatExportedSums(row.costs),
}

const share: SpendColumn = {
  id: 'share',
  label: 'Share',
  description: 'The part of all spend of this window, in the same currency.',
  width: 114,
  align: 'end',
  cell: (row, display) => {
    const decimal = toRowShare(row, display)
    if (decimal === undefined) return unknown
    const part = toNumber(decimal)
    return (
      <span className="flex items-center justify-end gap-1.5">
        <span aria-hidden="true" className="share-track">
          <span className="share-bar" style={{ width: `${part * 100}%` }} />
        </span>
        <span className="min-w-14">{formatShare(part)}</span>
      </span>
    )
  },
  exportValue: (row, display) => formatRounded(toRowShare(row, display)),
  isOnPageOnly: true,
}

const blended: SpendColumn = {
  id: 'blended',
  label: 'Blended',
  description: 'What was paid for a million tokens of any kind, those without a price left out.',
  unit: ({ currency }) => `${currency ? `${formatCurrency(currency)} ` : ''}per 1M`,
  width: ({ blendedWidth }) => Math.max(110, blendedWidth),
  align: 'end',
  cell: (row) => {
    const price = readBlendedPrice(row)
    // Where rows differ in it, the currency stands beside their spend.
    return price ? <Amount {...price} isCurrencyShown={false} /> : unknown
  },
  exportValue: (row) => formatRounded(readBlendedPrice(row)?.amount),
  exportUnit: 'per 1M tokens',
}

const trend: SpendColumn = {
  id: 'trend',
  label: 'Trend',
  description: 'The bars of the chart for this row alone. Each line has its own scale: it shows when, the share shows how much.',
  width: 72,
  cell: (row, { group, trends }) => {
    const key = readKey(row, group)
    const values = key === null ? undefined : trends?.get(key)
    return values ? <Trend values={values} /> : <span className="text-faint">—</span>
  },
  isOnPageOnly: true,
}

const unpriced: SpendColumn = {
  id: 'unpriced_call_count',
  label: 'Unpriced calls',
  description: 'Calls with tokens that have no known price. They are in no sum of money.',
  width: 116,
  align: 'end',
  cell: (row, { group }) => <Unpriced count={row.unpriced_call_count} model={group === 'model' ? row.model : undefined} />,
  exportValue: (row) => row.unpriced_call_count,
}

function countColumn(
  id: CountField,
  label: string,
  { minWidth = 96, ...more }: Partial<SpendColumn> & { minWidth?: number } = {},
): SpendColumn {
  return {
    id,
    label,
    width: ({ countWidths }) => Math.max(minWidth, countWidths[id]),
    align: 'end',
    cell: (row) => (row[id] === 0 ? <span className="text-faint">0</span> : formatCount(String(row[id]))),
    exportValue: (row) => row[id],
    ...more,
  }
}

const tokens = { unit: () => 'tokens', exportUnit: 'tokens' }
const listFigures = (hasCached: boolean): SpendColumn[] => [
  share,
  countColumn('call_count', 'Calls', { minWidth: 84 }),
  countColumn('prompt_tokens', 'Prompt', { ...tokens, description: 'Prompt tokens, cached ones included.' }),
  countColumn('completion_tokens', 'Completion', tokens),
  countColumn('cache_read_input_tokens', 'Cached', {
    ...tokens,
    description: 'Prompt tokens that were read from a cache.',
    isHiddenByDefault: !hasCached,
  }),
  countColumn('cache_creation_input_tokens', 'Cache writes', {
    ...tokens,
    description: 'Prompt tokens that were written to a cache.',
    isHiddenByDefault: true,
  }),
  blended,
  trend,
  currencyColumn<SpendGroup, SpendDisplay>(({ costs }) => costs),
]

/** Of a name in a header, which has two lines for it. */
const maxNameLength = 24

/**
 * The columns of a grouping, with one for each reference model beside the spend. Where every call has a price, no column
 * says so, and where no token was cached, the column of these has to be chosen.
 */
export function listSpendColumns(
  group: SpendGroupKey,
  references: readonly ReferenceModel[],
  { hasUnpriced, hasCached }: { hasUnpriced: boolean; hasCached: boolean },
): SpendColumn[] {
  const whatIf = references.map((reference, index): SpendColumn => {
    const model = formatVisibleText(reference.llm_id)
    return {
      id: `what_if_${index + 1}`,
      label: `On ${cutMiddle(model, maxNameLength)}`,
      description: `What the same calls would have cost on ${model}, and the difference to what they cost.`,
      unit: () =>
        reference.provider_id === undefined ? 'at its maker' : cutMiddle(formatVisibleText(reference.provider_id), maxNameLength),
      width: ({ whatIfWidth }) => Math.max(148, whatIfWidth),
      align: 'end',
      cell: (row, { currency }) => <WhatIfCell row={row} index={index} references={references} currency={currency} />,
      exportValue: (row) => formatExportedSums(readRepriced(row, references, index), listCurrencies([row])),
    }
  })
  return [keyColumn(group), total, ...whatIf, ...listFigures(hasCached), ...(hasUnpriced ? [unpriced] : [])]
}

function toRowShare(row: SpendGroup, { total: whole }: SpendDisplay): Decimal | undefined {
  const [currency, ...others] = listCurrencies([row])
  if (!whole || currency === undefined || others.length > 0) return undefined
  const sum = readTotal(whole, currency)
  return sum && sum.digits !== 0n ? divideDecimals(readTotal(row, currency) ?? zero, sum) : undefined
}

/** A quotient for an export, rounded in decimal. */
function formatRounded(value: Decimal | undefined): string | null {
  return value ? formatPlainDecimal(roundToSignificantDigits(value, 12)) : null
}
