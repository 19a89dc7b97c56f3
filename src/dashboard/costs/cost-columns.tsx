import { isCatalogCost } from '../../contract/compare-prices'
import { type Cost, undatedEffectiveDate } from '../../contract/costs'
import { isDay, formatDay, formatExactTime, type TimeZone } from '../format/instant'
import { type PriceUnit, priceRatio, formatRatio } from '../format/money'
import type { Column } from '../table/column'
import type { CostState } from './cost-states'
import { PriceCell } from './PriceCell'
import { CostStateBadge } from './CostStateBadge'

export type CostRow = { cost: Cost; state: CostState | undefined }

export type CostDisplay = {
  unit: PriceUnit
  zone: TimeZone
  /** The one currency of all prices on screen, or undefined where they differ. */
  currency: string | undefined
  /** Most digits after the point in a column: the points stand below each other. */
  fraction: { prompt: number; completion: number }
  /** Pixels that the longest price of a column needs: a price that is cut off is a wrong price. */
  room: { prompt: number; completion: number }
}

const perUnit: Record<PriceUnit, string> = { token: 'per token', '1K': 'per 1K tokens', '1M': 'per 1M tokens' }
const priceUnit = ({ unit, currency }: CostDisplay) => `${currency ? `${currency} ` : ''}${perUnit[unit]}`

export const costColumns: readonly Column<CostRow, CostDisplay>[] = [
  {
    id: 'llm_id',
    label: 'Model',
    width: 218,
    cell: ({ cost }) => <span title={cost.llm_id}>{cost.llm_id}</span>,
    exported: ({ cost }) => cost.llm_id ?? null,
  },
  {
    id: 'state',
    label: 'State',
    hint: 'What the record is at the chosen day: it prices calls, did so once, starts later, or is shadowed by a price of your own.',
    width: 120,
    cell: ({ state }) => <CostStateBadge state={state} />,
    exported: ({ state }) => state ?? null,
  },
  {
    id: 'provider_id',
    label: 'Provider',
    width: 132,
    cell: ({ cost }) => cost.provider_id ?? <span className="text-faint">not set</span>,
    exported: ({ cost }) => cost.provider_id ?? null,
  },
  {
    id: 'prompt_token_cost',
    label: 'Prompt price',
    unit: priceUnit,
    width: ({ room }) => Math.max(136, room.prompt),
    align: 'end',
    cell: ({ cost }, context) => (
      <PriceCell
        price={cost.prompt_token_cost}
        currency={cost.prompt_token_cost_unit}
        fraction={context.fraction.prompt}
        context={context}
      />
    ),
    exported: ({ cost }) => cost.prompt_token_cost ?? null,
    exportUnit: 'per token',
  },
  {
    id: 'completion_token_cost',
    label: 'Completion price',
    unit: priceUnit,
    width: ({ room }) => Math.max(148, room.completion),
    align: 'end',
    cell: ({ cost }, context) => (
      <PriceCell
        price={cost.completion_token_cost}
        currency={cost.completion_token_cost_unit}
        fraction={context.fraction.completion}
        context={context}
      />
    ),
    exported: ({ cost }) => cost.completion_token_cost ?? null,
    exportUnit: 'per token',
  },
  {
    id: 'ratio',
    label: 'Ratio',
    hint: 'Completion price over prompt price.',
    unit: () => 'completion / prompt',
    width: 154,
    align: 'end',
    cell: ({ cost }) => {
      const ratio = getPriceRatio(cost)
      return <span className="text-quiet">{ratio === undefined ? '—' : formatRatio(ratio)}</span>
    },
    exported: ({ cost }) => getPriceRatio(cost) ?? null,
  },
  {
    id: 'effective_date',
    label: 'Effective date',
    hint: 'Since when the price holds.',
    width: 172,
    cell: ({ cost }, { zone }) => <EffectiveDate cost={cost} zone={zone} />,
    exported: ({ cost }) => cost.effective_date ?? null,
    exportUnit: 'UTC',
  },
  {
    id: 'prompt_token_cost_unit',
    label: 'Unit',
    hint: 'The currency of the prices.',
    width: 72,
    cell: ({ cost }) => (
      <span className="text-quiet" title={formatCurrencies(cost)}>
        {formatCurrencies(cost)}
      </span>
    ),
    exported: ({ cost }) => formatCurrencies(cost),
    isAlwaysExported: true,
  },
  {
    id: 'source',
    label: 'Source',
    hint: 'Yours: recorded in this project. Catalog: built in, read by every project.',
    width: 88,
    cell: ({ cost }) => (isCatalogCost(cost) ? <span className="text-quiet">catalog</span> : 'yours'),
    exported: ({ cost }) => (isCatalogCost(cost) ? 'catalog' : 'yours'),
  },
  {
    id: 'id',
    label: 'Id',
    width: 300,
    isHiddenAtFirst: true,
    cell: ({ cost }) => <span className="font-mono text-xs text-quiet">{cost.id}</span>,
    exported: ({ cost }) => cost.id ?? null,
  },
]

/** Undefined also where the two prices are in different currencies: there is no ratio of those. */
export function getPriceRatio(cost: Cost): number | undefined {
  if (cost.prompt_token_cost_unit !== cost.completion_token_cost_unit) return undefined
  return priceRatio(cost.prompt_token_cost, cost.completion_token_cost)
}

/** `USD`, or `USD, EUR` where prompt and completion differ. */
export function formatCurrencies(cost: Cost): string {
  return [...new Set([cost.prompt_token_cost_unit, cost.completion_token_cost_unit])].map((unit) => unit ?? 'not set').join(', ')
}

export function EffectiveDate({ cost, zone }: { cost: Cost; zone: TimeZone }) {
  const { effective_date: date } = cost
  if (!date) return <span className="text-faint">not set</span>
  if (date === undatedEffectiveDate) {
    return (
      <span className="text-faint" title="No start is known: effective since ever">
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
