import { isCatalogCost } from '../../contract/compare-prices'
import { undatedEffectiveDate } from '../../contract/costs'
import { formatPlainDecimal } from '../../contract/decimal'
import type { ReceivedCost } from '../../contract/received-costs'
import { isDay, formatDay, formatExactTime, type TimeZone } from '../format/instant'
import { priceRatio, formatRatio } from '../format/money'
import type { Column } from '../table/column'
import type { CostDisplay } from './cost-display'
import { PriceCell } from './PriceCell'
import { ForeignText } from '../format/ForeignText'
import { Amount } from './spend/Amount'
import { formatWorkload, priceWorkload } from './workload'

// Short: the toolbar says what it is per.
const priceUnit = ({ unit, currency }: CostDisplay) => `${currency ? `${currency} ` : ''}per ${unit}`

export type CostColumn = Column<ReceivedCost, CostDisplay>

const model: CostColumn = {
  id: 'llm_id',
  label: 'Model',
  width: 196,
  cell: ({ llm_id }) => (llm_id === null ? <span className="text-faint">not set</span> : <ForeignText text={llm_id} isOneLine />),
  exportValue: (cost) => cost.llm_id ?? null,
}

const provider: CostColumn = {
  id: 'provider_id',
  label: 'Provider',
  width: 112,
  cell: ({ provider_id: id }) =>
    id === null ? (
      <span className="text-faint">not set</span>
    ) : (
      <span className="max-sm:whitespace-normal!">
        <ForeignText text={id} />
      </span>
    ),
  exportValue: (cost) => cost.provider_id ?? null,
}

type PriceColumnOptions = Pick<CostColumn, 'label' | 'description'> & {
  id: 'prompt_token_cost' | 'completion_token_cost' | 'cache_read_input_token_cost'
  /** The place of the column in the display. */
  place: 'prompt' | 'completion' | 'cacheRead'
  /** The field of the currency. */
  unitField: 'prompt_token_cost_unit' | 'completion_token_cost_unit'
  /** Pixels that the header needs. */
  minWidth: number
}

function priceColumn({ id, place, unitField, minWidth, ...rest }: PriceColumnOptions): CostColumn {
  return {
    ...rest,
    id,
    unit: priceUnit,
    width: (display) => Math.max(minWidth, display[place].minWidth),
    align: 'end',
    cell: (cost, display) => <PriceCell price={cost[id]} currency={cost[unitField]} column={display[place]} display={display} />,
    exportValue: (cost) => cost[id] ?? null,
    exportUnit: 'per token',
  }
}

const prompt = priceColumn({
  id: 'prompt_token_cost',
  label: 'Prompt',
  place: 'prompt',
  unitField: 'prompt_token_cost_unit',
  minWidth: 112,
})

const completion = priceColumn({
  id: 'completion_token_cost',
  label: 'Completion',
  place: 'completion',
  unitField: 'completion_token_cost_unit',
  minWidth: 134,
})

const cacheRead = priceColumn({
  id: 'cache_read_input_token_cost',
  label: 'Cached read',
  description: 'The price of prompt tokens that are read from a cache. Where it is not set, they cost as much as the prompt.',
  place: 'cacheRead',
  unitField: 'prompt_token_cost_unit',
  minWidth: 132,
})

const workload: CostColumn = {
  id: 'workload',
  label: 'Workload',
  description: 'What the tokens of the workload cost at the prices of the row, without steps for long prompts.',
  unit: ({ currency, workload: chosen }) => [currency, chosen && formatWorkload(chosen.tokens)].filter(Boolean).join(', '),
  width: 172,
  align: 'end',
  cell: (cost, { workload: chosen, currency }) => {
    const amount = chosen && priceWorkload(cost, chosen.tokens)
    return amount ? (
      <Amount
        amount={amount}
        currency={cost.prompt_token_cost_unit ?? '?'}
        isCurrencyShown={currency === undefined}
        tailLength={chosen.tailLength}
      />
    ) : (
      <span className="text-faint">—</span>
    )
  },
  exportValue: (cost, { workload: chosen }) => {
    const amount = chosen && priceWorkload(cost, chosen.tokens)
    return amount ? formatPlainDecimal(amount) : null
  },
}

const ratio: CostColumn = {
  id: 'ratio',
  label: 'Ratio',
  description: 'Completion price over prompt price.',
  unit: () => 'to prompt',
  width: 110,
  align: 'end',
  cell: (cost) => {
    const value = getPriceRatio(cost)
    return <span className="text-quiet">{value === undefined ? '—' : formatRatio(value)}</span>
  },
  exportValue: (cost) => getPriceRatio(cost) ?? null,
}

const since: CostColumn = {
  id: 'effective_date',
  label: 'Since',
  description: 'When the price took effect.',
  width: 100,
  cell: (cost, { zone }) => <EffectiveDate cost={cost} zone={zone} />,
  exportValue: (cost) => cost.effective_date ?? null,
  exportUnit: 'UTC',
}

const currency: CostColumn = {
  id: 'prompt_token_cost_unit',
  label: 'Currency',
  width: 96,
  // The header has it, or each price.
  isHiddenByDefault: true,
  cell: (cost) => (
    <span className="text-quiet">
      <ForeignText text={formatCurrencies(cost)} />
    </span>
  ),
  exportValue: (cost) => formatCurrencies(cost),
  isAlwaysExported: true,
}

const source: CostColumn = {
  id: 'source',
  label: 'Source',
  description:
    'Yours: recorded in this project. Catalog: built in, the same for every project. Shadowed: a price of yours for the model applies instead.',
  width: 92,
  cell: (cost, { shadowedIds }) => {
    const from = toSource(cost, shadowedIds)
    if (from !== 'shadowed') return from === 'yours' ? from : <span className="text-quiet">{from}</span>
    return (
      <span className="text-warn" title="In the catalog, and prices no call: this project has its own price for the model">
        {from}
      </span>
    )
  },
  exportValue: (cost, { shadowedIds }) => toSource(cost, shadowedIds),
}

const id: CostColumn = {
  id: 'id',
  label: 'Id',
  width: 300,
  isHiddenByDefault: true,
  cell: (cost) => <span className="font-mono text-xs text-quiet">{cost.id !== null && <ForeignText text={cost.id} />}</span>,
  exportValue: (cost) => cost.id ?? null,
}

/**
 * The columns of the prices in force. They are all current: there is no column that says so. A service may have no prices of
 * cached tokens.
 */
export function listPriceColumns(has: { cachePrices: boolean; workload: boolean }): CostColumn[] {
  return [
    model,
    provider,
    ...(has.workload ? [workload] : []),
    prompt,
    completion,
    ...(has.cachePrices ? [cacheRead] : []),
    // The workload answers what the ratio hints at, and the names need the room.
    { ...ratio, isHiddenByDefault: has.workload },
    since,
    source,
    currency,
    id,
  ]
}

function toSource(cost: ReceivedCost, shadowedIds: CostDisplay['shadowedIds']): string {
  if (!isCatalogCost(cost)) return 'yours'
  return shadowedIds?.has(cost.id ?? '') ? 'shadowed' : 'catalog'
}

/** Completion price over prompt price. Undefined if a price is unknown or the currencies differ. */
export function getPriceRatio(cost: ReceivedCost): number | undefined {
  if (cost.prompt_token_cost_unit !== cost.completion_token_cost_unit) return undefined
  return priceRatio(cost.prompt_token_cost, cost.completion_token_cost)
}

/** `USD`, or `USD, EUR` where prompt and completion differ. */
export function formatCurrencies(cost: ReceivedCost): string {
  return [...new Set([cost.prompt_token_cost_unit, cost.completion_token_cost_unit])].map((unit) => unit ?? 'not set').join(', ')
}

/** The day, and the exact time as its title. */
export function EffectiveDate({ cost, zone, hasTime }: { cost: ReceivedCost; zone: TimeZone; hasTime?: boolean }) {
  const { effective_date: date } = cost
  if (!date) return <span className="text-faint">not set</span>
  if (date === undatedEffectiveDate) {
    return (
      <span
        className="text-faint"
        title="No start date is known. It counts as in force at every date, and may be newer than that date."
      >
        undated
      </span>
    )
  }
  return (
    <time dateTime={date} title={isDay(date) ? `${date.slice(0, 10)}, from midnight UTC` : formatExactTime(date)}>
      {formatDay(date, zone).slice(0, hasTime ? undefined : 10)}
    </time>
  )
}

/** The id of a record, or of one without an id its content. */
export function getCostRowId(cost: ReceivedCost): string {
  return cost.id ?? JSON.stringify(cost)
}
