import { isCatalogCost } from '../../contract/compare-prices'
import { undatedEffectiveDate } from '../../contract/costs'
import type { ReceivedCost } from '../../contract/received-costs'
import { isDay, formatDay, formatExactTime, type TimeZone } from '../format/instant'
import { type PriceUnit, priceRatio, formatRatio } from '../format/money'
import type { Column } from '../table/column'
import type { CostDisplay } from './cost-display'
import { PriceCell } from './PriceCell'
import { CostStateBadge } from './CostStateBadge'

const perUnit: Record<PriceUnit, string> = { token: 'per token', '1K': 'per 1K tokens', '1M': 'per 1M tokens' }
const priceUnit = ({ unit, currency }: CostDisplay) => `${currency ? `${currency} ` : ''}${perUnit[unit]}`

export const costColumns: readonly Column<ReceivedCost, CostDisplay>[] = [
  {
    id: 'llm_id',
    label: 'Model',
    width: 218,
    cell: ({ llm_id }) => (llm_id === null ? <span className="text-faint">not set</span> : <span title={llm_id}>{llm_id}</span>),
    exportValue: (cost) => cost.llm_id ?? null,
  },
  {
    id: 'state',
    label: 'State',
    description:
      'On the chosen day: the record prices calls (current), did so before (superseded), starts later (scheduled), or gives way to a price of your own (shadowed).',
    width: 120,
    cell: (cost, { toState }) => <CostStateBadge state={toState(cost)} />,
    exportValue: (cost, { toState }) => toState(cost) ?? null,
  },
  {
    id: 'provider_id',
    label: 'Provider',
    width: 132,
    cell: (cost) => cost.provider_id ?? <span className="text-faint">not set</span>,
    exportValue: (cost) => cost.provider_id ?? null,
  },
  {
    id: 'prompt_token_cost',
    label: 'Prompt price',
    unit: priceUnit,
    width: ({ prompt }) => Math.max(136, prompt.minWidth),
    align: 'end',
    cell: (cost, display) => (
      <PriceCell
        price={cost.prompt_token_cost}
        currency={cost.prompt_token_cost_unit}
        maxFractionDigits={display.prompt.maxFractionDigits}
        display={display}
      />
    ),
    exportValue: (cost) => cost.prompt_token_cost ?? null,
    exportUnit: 'per token',
  },
  {
    id: 'completion_token_cost',
    label: 'Completion price',
    unit: priceUnit,
    width: ({ completion }) => Math.max(148, completion.minWidth),
    align: 'end',
    cell: (cost, display) => (
      <PriceCell
        price={cost.completion_token_cost}
        currency={cost.completion_token_cost_unit}
        maxFractionDigits={display.completion.maxFractionDigits}
        display={display}
      />
    ),
    exportValue: (cost) => cost.completion_token_cost ?? null,
    exportUnit: 'per token',
  },
  {
    id: 'ratio',
    label: 'Ratio',
    description: 'Completion price over prompt price.',
    unit: () => 'completion / prompt',
    width: 154,
    align: 'end',
    cell: (cost) => {
      const ratio = getPriceRatio(cost)
      return <span className="text-quiet">{ratio === undefined ? '—' : formatRatio(ratio)}</span>
    },
    exportValue: (cost) => getPriceRatio(cost) ?? null,
  },
  {
    id: 'effective_date',
    label: 'Effective date',
    description: 'When the price takes effect.',
    width: 172,
    cell: (cost, { zone }) => <EffectiveDate cost={cost} zone={zone} />,
    exportValue: (cost) => cost.effective_date ?? null,
    exportUnit: 'UTC',
  },
  {
    id: 'prompt_token_cost_unit',
    label: 'Unit',
    description: 'The currency of the prices.',
    width: 72,
    cell: (cost) => (
      <span className="text-quiet" title={formatCurrencies(cost)}>
        {formatCurrencies(cost)}
      </span>
    ),
    exportValue: (cost) => formatCurrencies(cost),
    isAlwaysExported: true,
  },
  {
    id: 'source',
    label: 'Source',
    description: 'Yours: recorded in this project. Catalog: built in, the same for every project.',
    width: 88,
    cell: (cost) => (isCatalogCost(cost) ? <span className="text-quiet">catalog</span> : 'yours'),
    exportValue: (cost) => (isCatalogCost(cost) ? 'catalog' : 'yours'),
  },
  {
    id: 'id',
    label: 'Id',
    width: 300,
    isHiddenByDefault: true,
    cell: (cost) => <span className="font-mono text-xs text-quiet">{cost.id}</span>,
    exportValue: (cost) => cost.id ?? null,
  },
]

/** Completion price over prompt price. Undefined if a price is unknown or the currencies differ. */
export function getPriceRatio(cost: ReceivedCost): number | undefined {
  if (cost.prompt_token_cost_unit !== cost.completion_token_cost_unit) return undefined
  return priceRatio(cost.prompt_token_cost, cost.completion_token_cost)
}

/** `USD`, or `USD, EUR` where prompt and completion differ. */
export function formatCurrencies(cost: ReceivedCost): string {
  return [...new Set([cost.prompt_token_cost_unit, cost.completion_token_cost_unit])].map((unit) => unit ?? 'not set').join(', ')
}

export function EffectiveDate({ cost, zone }: { cost: ReceivedCost; zone: TimeZone }) {
  const { effective_date: date } = cost
  if (!date) return <span className="text-faint">not set</span>
  if (date === undatedEffectiveDate) {
    return (
      <span className="text-faint" title="No start date is known: always in effect">
        undated
      </span>
    )
  }
  return (
    <time dateTime={date} title={isDay(date) ? `${date.slice(0, 10)}, from midnight UTC` : formatExactTime(date)}>
      {formatDay(date, zone)}
    </time>
  )
}
