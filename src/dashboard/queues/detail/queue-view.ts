import { annotationStates, itemSortFields } from '../../../contract/queue-items'
import { enumParam, stringParam, tableParams } from '../../table/view/url-params'
import { itemColumns } from './item-columns'
import { itemRows } from './item-requests'
import { toCallHref } from '../../format/thread-href'
import type { QueueItem } from '../../../contract/queue-items'
import type { ItemDisplay } from './item-columns'

export const queueViews = ['items', 'results', 'scorers'] as const

export const queueViewParams = { view: enumParam(queueViews, 'items') }

/** The view of a queue's items in the URL. */
export const itemParams = {
  ...tableParams(
    itemColumns.map(({ id }) => id),
    [],
  ),
  state: enumParam(['any', ...annotationStates], 'any'),
  /** Who reviewed the item. */
  annotator: stringParam(256),
  reviewers: enumParam(['any', 'disagreed'], 'any'),
}

export const itemTable = {
  name: 'queue-items',
  label: 'Items',
  topic: 'queues' as const,
  updatesInPlace: true,
  columns: itemColumns,
  minFirstWidth: 180,
  getRowId: ({ id }: QueueItem) => id,
  rowHref: ({ call_id: id }: QueueItem, { places }: ItemDisplay) => {
    const place = places.get(id)
    return place && toCallHref(place)
  },
  source: itemRows,
  sortableIds: itemSortFields,
  exportPageSize: 1000,
}
/** Of another service nobody knows what asking it every few seconds costs. */
export const liveItemTable = { ...itemTable, isLiveByDefault: true }
/** Without what only services that give out items say of them. */
export const plainItemTable = { ...itemTable, columns: itemColumns.filter(({ id }) => id !== 'reviews') }
