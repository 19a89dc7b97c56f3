import { formatDuration } from '../format/duration'
import { nameOps } from '../format/op-name'
import { formatVisibleText } from '../format/visible-text'
import type { ThreadView } from './thread-view'

/** A filter that is set, in words, and the change of the view that removes it. */
export type FilterText = { label: string; value: string; removed: Partial<ThreadView> }

/** The filters of `MoreFilters` that are set. */
export function toFilterTexts(view: ThreadView): FilterText[] {
  const opNames = nameOps(view.op)
  const list = (param: 'model' | 'op' | 'user' | 'answer', label: string) =>
    view[param].map((value) => ({
      label,
      value: formatVisibleText((param === 'op' && opNames.get(value)) || value),
      removed: { [param]: view[param].filter((each) => each !== value) },
    }))
  const one = (isSet: boolean, label: string, value: string, removed: Partial<ThreadView>) =>
    isSet ? [{ label, value, removed }] : []
  return [
    ...one(view.prefix !== '', 'Id begins with', formatVisibleText(view.prefix), { prefix: '' }),
    ...one(view.errors === 'only', 'Errors', 'only', { errors: 'any' }),
    ...list('model', 'Model'),
    ...list('op', 'Operation'),
    ...list('user', 'User'),
    ...one(view.judged !== 'any', 'Judged', view.judged, { judged: 'any' }),
    ...list('answer', 'Answer'),
    ...one(view.turns > 0, 'Turns from', String(view.turns), { turns: 0 }),
    ...one(view.p50 > 0, 'p50 from', formatDuration(view.p50), { p50: 0 }),
    ...one(view.p99 > 0, 'p99 from', formatDuration(view.p99), { p99: 0 }),
    ...one(view.cost !== '', 'Cost from', `${view.cost} USD`, { cost: '' }),
  ]
}
