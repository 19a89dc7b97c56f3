import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useConnection } from '../../client/connection-context'
import type { RowSource } from '../../client/row-source'
import type { TableDefinition } from '../column'
import { ignoreCancellation } from './table-data'
import { useSteadyQuery } from './use-steady-query'
import { useTableLayout } from './table-layout'
import type { SortKey, TableView } from './url-params'
import { useTableState } from './use-table-state'
import type { SetView } from './use-url-state'

/** The part of a request that every list has. */
export type PageRequest<SortField> = {
  project_id: string
  limit: number
  offset: number
  sort_by?: { field: SortField; direction: SortKey['direction'] }[]
}

/** A table whose rows the server sorts, filters and cuts into pages. */
export type RemoteTableDefinition<Row, Display, Input, SortField extends string> = TableDefinition<Row, Display, SortField> & {
  source: RowSource<Input, Row>
  /** Rows a request when all pages are exported. */
  exportPageSize: number
  /** 'always': read again whenever the page opens, even if the rows are recent. */
  refetchOnMount?: 'always'
}

type Options<Input, SortField> = {
  view: TableView
  setView: SetView<TableView>
  /** The request for one page of this view. */
  toInput: (page: PageRequest<SortField>, hiddenIds: readonly string[]) => Input
  /** Called before a refetch. Returns true if it changed the result of `toInput`: that request is then sent instead. */
  onRefetch?: () => boolean
}

export function useRemoteTable<Row, Display, Input, SortField extends string>(
  definition: RemoteTableDefinition<Row, Display, Input, SortField>,
  { view: urlView, setView, toInput, onRefetch }: Options<Input, SortField>,
) {
  const { source, sortableIds, exportPageSize, refetchOnMount } = definition
  const connection = useConnection()
  const { projectId: project_id } = connection
  const queryClient = useQueryClient()
  // The URL may name a column that this server cannot sort by.
  const view = useMemo(
    () => ({ ...urlView, sort: urlView.sort.filter(({ id }) => sortableIds.some((field) => field === id)) }),
    [urlView, sortableIds],
  )
  const layout = useTableLayout(definition, view, setView)

  const sort_by = view.sort.flatMap(({ id, direction }) => {
    const field = sortableIds.find((name) => name === id)
    return field ? [{ field, direction }] : []
  })
  const toPageInput = (limit: number, offset: number) =>
    toInput({ project_id, limit, offset, ...(sort_by.length > 0 ? { sort_by } : {}) }, layout.hiddenIds)

  // One row more than the page shows tells whether more follow: the wire has no total.
  const input = toPageInput(view.size + 1, (view.page - 1) * view.size)
  const options = source.toQuery(input, connection)
  const query = useSteadyQuery({ ...options, ...(refetchOnMount && { refetchOnMount }) }, view)
  const received = query.data?.rows
  const { size } = query.shownView
  const rows = useMemo(() => received?.slice(0, size), [received, size])

  return useTableState({
    definition,
    view,
    setView,
    layout,
    data: {
      rows,
      hasMore: (received?.length ?? 0) > size,
      readCount: rows?.length ?? 0,
      isFetching: query.isFetching,
      isPlaceholder: query.isPrevious,
      isComplete: query.data?.isComplete ?? false,
      brokenLines: query.data?.brokenLines ?? [],
      error: ignoreCancellation(query.error),
      updatedAt: query.updatedAt,
      rowsView: query.shownView,
      refetch: async () => onRefetch?.() || query.refetch(),
      cancel: () => void queryClient.cancelQueries({ queryKey: options.queryKey }, { revert: false }),
    },
    toRequests: async () => [{ endpoint: source.endpoint, input }],
    readAll: async function* (signal, onFailure) {
      for (let offset = 0; !signal.aborted; offset += exportPageSize) {
        const page = await queryClient.fetchQuery({
          ...source.toQuery(toPageInput(exportPageSize, offset), connection),
          gcTime: 0,
          // Sent again until it succeeds or the person stops it: the export continues where it was.
          retry: (_, error) => !signal.aborted && onFailure(error),
          retryDelay: (failures) => Math.min(1000 * 2 ** failures, 10_000),
        })
        yield page
        if (page.rows.length + page.brokenLines.length < exportPageSize) return
      }
    },
  })
}
