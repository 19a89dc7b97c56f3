import type { SpendGroup } from '../../../contract/spend'
import { parseView, updateSearch } from '../../table/view/url-params'
import { readKey } from './spend-rows'
import { narrowTo, spendParams, type SpendView } from './spend-view'
import { formatMs } from '../../format/interval'
import { type SpendWindow, toBounds } from './spend-window'

/** The address of the Spend view with a change of it. What this view does not know stays, such as which view it is. */
export function toSpendHref(view: SpendView, change: Partial<SpendView>): string {
  return `/costs?${updateSearch(spendParams, location.search, { ...view, row: '', page: 1, ...change })}`
}

/** What is behind a row: the group alone, seen by the next key, and at last the threads themselves. */
export function toRowHref(row: SpendGroup, view: SpendView, window: SpendWindow): string {
  const key = readKey(row, view.group)
  if (key === null || view.group === 'thread_id') return toThreadsHref(view, window, key)
  return toSpendHref(view, narrowTo(view.group, key, view))
}

/** The threads of the window, filtered as here. The threads page has the wire's bounds: exclusive ones. */
export function toThreadsHref(view: SpendView, window: SpendWindow, threadId: string | null = null): string {
  const { after_datetime: after } = toBounds(window)
  const search = new URLSearchParams({
    ...(after && { after }),
    ...(!window.isOpen && { before: formatMs(window.endMs) }),
    ...(threadId !== null && { row: threadId }),
  })
  // The filters that the threads page has too, under the same names.
  const { model, op, user, thread } = spendParams
  const filters = threadId === null ? view : { ...view, thread: [threadId] }
  return `/threads?${updateSearch({ model, op, user, thread }, search.toString(), filters)}`
}

/** What the calls of one model cost, by operation. */
export function toModelSpendHref(model: string, provider: string | null): string {
  const view: SpendView = {
    ...parseView(spendParams, ''),
    model: [model],
    provider: provider === null ? [] : [provider],
    group: 'op_name',
  }
  return `/costs?${updateSearch(spendParams, '?view=spend', view)}`
}

/** Where the price of a model is added. */
export function toAddPriceHref(model: string): string {
  return `/costs?${new URLSearchParams({ view: 'prices', add: model }).toString()}`
}
