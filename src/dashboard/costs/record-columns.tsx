import { type CostColumn, listPriceColumns } from './cost-columns'
import { CostStateBadge } from './CostStateBadge'

const state: CostColumn = {
  id: 'state',
  label: 'State',
  description:
    'On the chosen day: the record prices calls (current), did so before (superseded), starts later (scheduled; early where calls have no other price), or gives way to a price of your own (shadowed).',
  width: 116,
  cell: (cost, { toState }) => {
    const value = toState?.(cost)
    // What most records are needs no mark.
    return value === 'current' ? <span className="text-quiet">current</span> : <CostStateBadge state={value} />
  },
  exportValue: (cost, { toState }) => toState?.(cost) ?? null,
}

/** The columns of the records: those of the prices, and the state. */
export const recordColumns: readonly CostColumn[] = listPriceColumns({ cachePrices: false, workload: false }).flatMap((column) =>
  column.id === 'effective_date'
    ? [{ ...column, label: 'Effective date', description: 'When the price takes effect.' }, state]
    : [column],
)
