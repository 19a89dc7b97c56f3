import { costFields } from '../../contract/costs'
import { parseInstant } from '../../contract/instant'
import { priceUnits } from '../format/money'
import { checkedText, choice, tableParams, text, texts, type ViewOf } from '../table/view/params'

/** Columns that the wire does not have: worked out here. */
export const derivedColumnIds = ['state', 'ratio', 'source'] as const

/** What the address of the costs page holds. */
export const costParams = {
  ...tableParams([...costFields, ...derivedColumnIds], [{ id: 'effective_date', direction: 'desc' }]),
  view: choice(['in-force', 'all'], 'in-force'),
  search: text(200),
  provider: texts(100),
  source: choice(['any', 'yours', 'catalog'], 'any'),
  start: choice(['any', 'started', 'scheduled'], 'any'),
  /** A calendar day, its end in UTC counts; '' is now. */
  asof: { ...checkedText((day) => /^\d{4}-\d\d-\d\d$/.test(day) && typeof parseInstant(day) === 'bigint'), keepsPage: true },
  unit: { ...choice(priceUnits, '1M'), keepsPage: true },
}
export type CostView = ViewOf<typeof costParams>

export const noFilters = { search: '', provider: [], source: 'any', start: 'any' } as const satisfies Partial<CostView>

export function isFiltered(view: CostView): boolean {
  const { search, provider, source, start } = view
  return search !== '' || provider.length > 0 || source !== 'any' || (view.view === 'all' && start !== 'any')
}

/** The last moment of a day: what was in force when it ended. */
export function endOfDay(day: string): string {
  return `${day}T23:59:59.999999Z`
}

/** The moment the view is of: the end of its day, or the given now. */
export function asOfInstant(view: Pick<CostView, 'asof'>, now: number): string {
  return view.asof === '' ? new Date(now).toISOString() : endOfDay(view.asof)
}
