import { type SpendGroup, streamSpend } from '../../../contract/spend'
import { streamedRows } from '../../client/streamed-rows'
import type { TimeZone } from '../../format/instant'
import type { PageRequest } from '../../table/view/use-remote-table'
import { readReferenceModels, sortableFigures, type SpendGroupKey, spendGroups, type SpendView } from './spend-view'
import { toZoneName } from '../../format/interval'
import { type SpendWindow, toBounds } from './spend-window'

export const spendRows = streamedRows(streamSpend)
export type SpendInput = Parameters<typeof spendRows.toQuery>[0]
type SortField = NonNullable<SpendInput['sort_by']>[number]['field']

/** The wire's filter: the window and what the person chose. */
function toFilter(view: SpendView, window: SpendWindow): NonNullable<SpendInput['filter']> {
  const chosen = spendGroups.flatMap(({ param, filter }) => (view[param].length > 0 ? [[filter, [...view[param]]] as const] : []))
  return { ...toBounds(window), ...Object.fromEntries(chosen) }
}

/** The columns that groups can be sorted by. */
export function listSortableIds(group: SpendGroupKey): SortField[] {
  return [group, ...sortableFigures]
}

/** The page of a view, as the table asks for it. */
export function toPage(projectId: string, view: SpendView): PageRequest<SortField> {
  const sortableIds = listSortableIds(view.group)
  const sort_by = view.sort.flatMap(({ id, direction }) => {
    const field = sortableIds.find((name) => name === id)
    return field ? [{ field, direction }] : []
  })
  const offset = (view.page - 1) * view.size
  return { project_id: projectId, limit: view.size + 1, offset, ...(sort_by.length > 0 && { sort_by }) }
}

/** One page of the table. */
export function toTableInput(page: PageRequest<SortField>, view: SpendView, window: SpendWindow): SpendInput {
  return { ...page, ...toGroupsInput(page.project_id, view, window, [view.group]), ...toRepricing(view) }
}

/** All calls as one group. */
export function toTotalInput(projectId: string, view: SpendView, window: SpendWindow): SpendInput {
  return { ...toGroupsInput(projectId, view, window, []), ...toRepricing(view) }
}

/** The groups with the largest totals. */
export function toGroupsInput(
  projectId: string,
  view: SpendView,
  window: SpendWindow,
  keys: SpendGroupKey[],
  limit?: number,
): SpendInput {
  return {
    project_id: projectId,
    filter: toFilter(view, window),
    group_by: keys,
    ...(limit !== undefined && { limit }),
  }
}

/** The same calls by interval, and by one key too, of which only some groups are read. */
export function toIntervalsInput(
  projectId: string,
  view: SpendView,
  window: SpendWindow,
  zone: TimeZone,
  groups?: { key: SpendGroupKey; values: readonly string[] },
): SpendInput {
  const input = toGroupsInput(projectId, view, window, groups ? [groups.key] : [])
  const group = spendGroups.find(({ value }) => value === groups?.key)
  return {
    ...input,
    ...(groups && group && { filter: { ...input.filter, [group.filter]: [...groups.values] } }),
    group_by: [...(input.group_by ?? []), 'interval'],
    interval: window.interval,
    time_zone: toZoneName(zone),
  }
}

function toRepricing(view: SpendView): Pick<SpendInput, 'reprice_as'> {
  const references = readReferenceModels(view)
  return references.length > 0 ? { reprice_as: references } : {}
}

/** The id of a row: groups that no name stands for have one too. */
export function getSpendRowId(group: SpendGroup, key: SpendGroupKey): string {
  return readKey(group, key) || '(none)'
}

/** What a group is of; null where its calls name none. */
export function readKey(group: SpendGroup, key: SpendGroupKey): string | null {
  return group[key] ?? null
}
