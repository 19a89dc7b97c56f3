import { costFields } from '../../contract/cost-fields'
import { parseInstant } from '../../contract/instant'
import { formatTime, type TimeZone } from '../format/instant'
import { priceUnits } from '../format/money'
import {
  validStringParam,
  enumParam,
  tableParams,
  stringParam,
  stringListParam,
  type ParamValues,
} from '../table/view/url-params'
import { isWorkload } from './workload'

/** More than these do not fit beside each other. */
export const maxCompared = 4

/** Columns that are computed here: the wire has no such field. */
export const derivedCostColumnIds = ['state', 'ratio', 'source', 'workload'] as const

/** The URL parameters of the costs page. */
export const costParams = {
  ...tableParams(
    [...costFields, ...derivedCostColumnIds, 'cache_read_input_token_cost'],
    [{ id: 'effective_date', direction: 'desc' }],
  ),
  /** 'auto': Spend, once the project has calls with usage; else Prices. */
  view: enumParam(['auto', 'spend', 'prices', 'records'], 'auto'),
  search: stringParam(200),
  provider: stringListParam(100),
  source: enumParam(['any', 'yours', 'catalog'], 'any'),
  start: enumParam(['any', 'started', 'scheduled'], 'any'),
  /** An instant, or a day: its end in UTC is the moment of the view. '' is now. */
  asof: { ...validStringParam(isDayOrInstant), keepsPage: true },
  unit: { ...enumParam(priceUnits, '1M'), keepsPage: true },
  /** The tokens that prices are compared by: `1000,300`, or 'mix' for those of the project's last 30 days; '' is none. */
  workload: validStringParam((text) => text === 'mix' || isWorkload(text)),
  /** The ids of the prices that are compared side by side. */
  compare: { ...stringListParam(maxCompared), keepsPage: true },
  /** The kind of likely errors to which the prices are narrowed; '' is none. */
  flag: stringParam(20),
}
export type CostView = ParamValues<typeof costParams>

export const noCostFilters = {
  search: '',
  provider: [],
  source: 'any',
  start: 'any',
  flag: '',
} as const satisfies Partial<CostView>

export function hasCostFilters(view: CostView): boolean {
  const { search, provider, source, start, flag } = view
  return search !== '' || provider.length > 0 || source !== 'any' || (view.view === 'records' ? start !== 'any' : flag !== '')
}

function isDayOrInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z)?$/.test(text) && typeof parseInstant(text) === 'bigint'
}

/** The last microsecond of a day; an instant is its own end. */
export function toEnd(dayOrInstant: string): string {
  return dayOrInstant.includes('T') ? dayOrInstant : `${dayOrInstant}T23:59:59.999999Z`
}

/** The moment of the view, or `now` (milliseconds). */
export function toAsOfInstant(view: Pick<CostView, 'asof'>, now: number): string {
  return view.asof === '' ? new Date(now).toISOString() : toEnd(view.asof)
}

/** The moment of the view as a person reads it: a day as it is, a time in their zone. */
export function formatAsOf(asOf: string, zone: TimeZone): string {
  return asOf.includes('T') ? formatTime(asOf, zone) : asOf
}
