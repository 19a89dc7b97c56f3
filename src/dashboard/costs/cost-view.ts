import { costFields } from '../../contract/cost-fields'
import { parseInstant } from '../../contract/instant'
import { priceUnits } from '../format/money'
import {
  validStringParam,
  enumParam,
  tableParams,
  stringParam,
  stringListParam,
  type ParamValues,
} from '../table/view/url-params'

/** Columns that are computed here: the wire has no such field. */
export const derivedCostColumnIds = ['state', 'ratio', 'source'] as const

/** The URL parameters of the costs page. */
export const costParams = {
  ...tableParams([...costFields, ...derivedCostColumnIds], [{ id: 'effective_date', direction: 'desc' }]),
  view: enumParam(['in-force', 'all'], 'in-force'),
  search: stringParam(200),
  provider: stringListParam(100),
  source: enumParam(['any', 'yours', 'catalog'], 'any'),
  start: enumParam(['any', 'started', 'scheduled'], 'any'),
  /** A calendar day: its end, in UTC, is the moment of the view. '' is now. */
  asof: { ...validStringParam((day) => /^\d{4}-\d\d-\d\d$/.test(day) && typeof parseInstant(day) === 'bigint'), keepsPage: true },
  unit: { ...enumParam(priceUnits, '1M'), keepsPage: true },
}
export type CostView = ParamValues<typeof costParams>

export const noCostFilters = { search: '', provider: [], source: 'any', start: 'any' } as const satisfies Partial<CostView>

export function hasCostFilters(view: CostView): boolean {
  const { search, provider, source, start } = view
  return search !== '' || provider.length > 0 || source !== 'any' || (view.view === 'all' && start !== 'any')
}

/** The last microsecond of a day. */
export function endOfDay(day: string): string {
  return `${day}T23:59:59.999999Z`
}

/** The moment of the view: the end of its day, or `now` (milliseconds). */
export function toAsOfInstant(view: Pick<CostView, 'asof'>, now: number): string {
  return view.asof === '' ? new Date(now).toISOString() : endOfDay(view.asof)
}

export const noCostsMessage = 'This project has no prices yet, and the server has no catalog. Create one with POST /cost/create.'
