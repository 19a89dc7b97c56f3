import { costFields } from '../../contract/cost-fields'
import { parseInstant } from '../../contract/instant'
import { priceUnits } from '../format/money'
import { validStringParam, enumParam, tableParams, text, stringListParam, type ParamValues } from '../table/view/url-params'

/** Columns that the wire does not have: worked out here. */
export const derivedCostColumnIds = ['state', 'ratio', 'source'] as const

/** What the address of the costs page holds. */
export const costParams = {
  ...tableParams([...costFields, ...derivedCostColumnIds], [{ id: 'effective_date', direction: 'desc' }]),
  view: enumParam(['in-force', 'all'], 'in-force'),
  search: text(200),
  provider: stringListParam(100),
  source: enumParam(['any', 'yours', 'catalog'], 'any'),
  start: enumParam(['any', 'started', 'scheduled'], 'any'),
  /** A calendar day, its end in UTC counts; '' is now. */
  asof: { ...validStringParam((day) => /^\d{4}-\d\d-\d\d$/.test(day) && typeof parseInstant(day) === 'bigint'), keepsPage: true },
  unit: { ...enumParam(priceUnits, '1M'), keepsPage: true },
}
export type CostView = ParamValues<typeof costParams>

export const noCostFilters = { search: '', provider: [], source: 'any', start: 'any' } as const satisfies Partial<CostView>

export function hasCostFilters(view: CostView): boolean {
  const { search, provider, source, start } = view
  return search !== '' || provider.length > 0 || source !== 'any' || (view.view === 'all' && start !== 'any')
}

/** The last moment of a day: what was in force when it ended. */
export function endOfDay(day: string): string {
  return `${day}T23:59:59.999999Z`
}

/** The moment the view is of: the end of its day, or the given now. */
export function toAsOfInstant(view: Pick<CostView, 'asof'>, now: number): string {
  return view.asof === '' ? new Date(now).toISOString() : endOfDay(view.asof)
}
