import { parseInstant } from '../../../contract/instant'
import { enumParam, type ParamValues, validStringParam } from '../../table/view/url-params'

/** The URL parameters of what is above the rows. */
export const overviewParams = {
  show: { ...enumParam(['shape', 'history'], 'shape'), keepsPage: true },
  /** The intervals of the history. */
  per: { ...enumParam(['auto', 'hour', 'day', 'week'], 'auto'), keepsPage: true },
  /** The moment before and after which turns are compared, and how long each side is at most. */
  split: { ...validStringParam((text) => typeof parseInstant(text) === 'bigint'), keepsPage: true },
  span: { ...enumParam(['all', '1h', '24h', '7d', '30d'], 'all'), keepsPage: true },
}
export type OverviewView = ParamValues<typeof overviewParams>
