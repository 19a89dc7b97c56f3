import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { usesSession } from '../../client/connection'
import { useConnection } from '../../client/connection-context'
import type { BrokenLine } from '../../client/parse-rows'
import type { RowSource } from '../../client/row-source'
import { readList, readOnce } from '../../client/whole-list-query'
import type { TableDefinition } from '../column'
import { ignoreCancellation, type TableData } from './table-data'
import { useSteadyQuery } from './use-steady-query'
import { useTableLayout } from './table-layout'
import type { SortKey, TableView } from './url-params'
import { usePagingCheck, usePagingDeviation } from './use-paging-check'
import { useTableState } from './use-table-state'
import type { SetView } from './use-url-state'
import { useWholeList } from './use-whole-list'

/** The part of a request that every list has. */
export type PageRequest<SortField> = {
  project_id: string
  /** Undefined: all rows. */
  limit: number | undefined
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

export function useRemoteTable<Row extends object, Display, Input, SortField extends string>(
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
  const toPageInput = (limit: number | undefined, offset: number) =>
    toInput({ project_id, limit, offset, ...(sort_by.length > 0 ? { sort_by } : {}) }, layout.hiddenIds)
  const list = { source, toInput: toPageInput, connection }

  // One row more than the page shows tells whether more follow: the wire has no total.
  const limit = view.size + 1
  const offset = (view.page - 1) * view.size
  const input = toPageInput(limit, offset)
  const options = source.toQuery(input, connection)
  const deviation = usePagingDeviation(source, connection)
  const query = useSteadyQuery({ ...options, ...(refetchOnMount && { refetchOnMount }), enabled: deviation === undefined }, view)
  const wholeList = {
    ...list,
    // Without an order: the rows are sorted here, so another order needs no other request.
    toInput: (wholeLimit: number | undefined, start: number) =>
      toInput({ project_id, limit: wholeLimit, offset: start }, layout.hiddenIds),
  }
  const check = usePagingCheck(list, wholeList, {
    query,
    queryKey: options.queryKey,
    limit,
    offset,
    sort: view.sort,
    deviation,
  })
  const received = query.data?.rows
  const { size } = query.shownView
  const rows = useMemo(() => received?.slice(0, size), [received, size])
  const brokenLines = query.data?.brokenLines ?? noBrokenLines
  const page: TableData<Row> = {
    rows,
    hasMore: (received?.length ?? 0) + brokenLines.length > size,
    isEndKnown: check.isEndKnown,
    readCount: rows?.length ?? 0,
    isFetching: query.isFetching || check.isPending,
    isPlaceholder: query.isPrevious,
    isComplete: query.data?.isComplete ?? false,
    brokenLines,
    error: ignoreCancellation(query.error),
    updatedAt: query.updatedAt,
    rowsView: query.shownView,
    refetch: query.refetch,
    cancel: () => void queryClient.cancelQueries({ queryKey: options.queryKey }, { revert: false }),
  }
  const whole = useWholeList(wholeList, { deviation: deviation ?? check.suspicion, page, view })

  return useTableState({
    definition,
    view,
    setView,
    layout,
    data: { ...whole.data, refetch: async () => onRefetch?.() || whole.data.refetch() },
    toRequests: async () => [{ endpoint: source.endpoint, input }],
    readAll: async function* (signal, onFailure) {
      if (whole.sorted) return yield { ...whole.sorted, isComplete: !whole.sorted.isTruncated }
      if (!usesSession(connection)) {
        const parts = await readList(list, { queryClient, signal, onFailure, pageSize: exportPageSize, maxRows: Infinity })
        for await (const part of parts) yield { ...part, isComplete: !part.isTruncated }
        return
      }
      for (let start = 0; !signal.aborted; start += exportPageSize) {
        const pageQuery = source.toQuery(toPageInput(exportPageSize, start), connection)
        const part = await readOnce(pageQuery, { queryClient, signal, onFailure })
        yield part
        if (part.rows.length + part.brokenLines.length < exportPageSize) return
      }
    },
  })
}

const noBrokenLines: readonly BrokenLine[] = []
