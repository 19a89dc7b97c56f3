import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { usesSession } from '../../client/connection'
import { useConnection } from '../../client/connection-context'
import type { BrokenLine } from '../../client/parse-rows'
import { beginQuery, readAhead, timedQuery } from '../../client/read-ahead'
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
  /** Whether the definition and `toInput` are those of this view too. Without it they are those of every sort, page and size. */
  isSameList?: (view: TableView) => boolean
}

export function useRemoteTable<Row extends object, Display, Input, SortField extends string>(
  definition: RemoteTableDefinition<Row, Display, Input, SortField>,
  { view: urlView, setView: setUrlView, toInput, onRefetch, isSameList }: Options<Input, SortField>,
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
  const deviation = usePagingDeviation(source, connection)
  const setView: SetView<TableView> = (change, setOptions) => {
    // Before React renders the view: the service works meanwhile.
    const next = toNextQuery(change)
    if (next) beginQuery(queryClient, next)
    setUrlView(change, setOptions)
  }
  const layout = useTableLayout(definition, view, setUrlView)

  const toSortedInput = (sort: readonly SortKey[], limit: number | undefined, offset: number) => {
    const sort_by = sort.flatMap(({ id, direction }) => {
      const field = sortableIds.find((name) => name === id)
      return field ? [{ field, direction }] : []
    })
    return toInput({ project_id, limit, offset, ...(sort_by.length > 0 ? { sort_by } : {}) }, layout.hiddenIds)
  }
  const toPageInput = (limit: number | undefined, offset: number) => toSortedInput(view.sort, limit, offset)
  const list = { source, toInput: toPageInput, connection }

  const toPage = ({ sort, page, size }: PageView) => {
    // One row more than the page shows tells whether more follow: the wire has no total.
    const limit = size + 1
    const offset = (page - 1) * size
    const input = toSortedInput(sort, limit, offset)
    return { limit, offset, input, query: timedQuery(source.toQuery(input, connection), source.endpoint.path) }
  }
  const { limit, offset, input, query: options } = toPage(view)
  /** The query of the rows after a change of the view; undefined where they are known, or where more would change than these. */
  const toNextQuery = (change: Partial<TableView>) => {
    const isPaging = Object.keys(change).every((name) => name === 'sort' || name === 'page' || name === 'size')
    const next = { ...view, ...(!('page' in change) && { page: 1 }), ...change }
    if (!isPaging || deviation !== undefined || isSameList?.(next) === false) return undefined
    const { query: nextQuery } = toPage(next)
    return hashKey(nextQuery.queryKey) === hashKey(options.queryKey) ? undefined : nextQuery
  }
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
    readAhead: (change) => {
      const next = toNextQuery(change)
      return next ? readAhead(queryClient, next, source.endpoint.path) : () => undefined
    },
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

type PageView = Pick<TableView, 'sort' | 'page' | 'size'>

const noBrokenLines: readonly BrokenLine[] = []
