import type { UrlParam } from '../../table/view/url-params'

/** Text that may be empty; undefined where the parameter is absent. */
const maybeText: UrlParam<string | undefined> = {
  defaultValue: undefined,
  parse: (text) => (text.length <= 8000 ? text : undefined),
  // No address can contain it.
  format: (text) => text ?? '\u0000',
  keepsPage: true,
}

/** The URL parameters of the dialogs that change prices. At most one is set. */
export const editParams = {
  /** A new price of this model; '' for one that is still to be named. */
  add: maybeText,
  /** The id of the record to correct. */
  correct: maybeText,
  /** The id of the record to remove. */
  remove: maybeText,
  import: { defaultValue: false, parse: () => true, format: (value: boolean) => (value ? '1' : ''), keepsPage: true },
}
