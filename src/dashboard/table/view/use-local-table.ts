import { useMemo } from 'react'
import type { RequestPreview } from '../../client/request-preview'
import type { TableDefinition } from '../column'
import type { TableData } from './table-data'
import { useTableLayout } from './table-layout'
import type { TableView } from './url-params'
import { useTableState } from './use-table-state'
import type { SetView } from './use-url-state'

type Options<Row> = {
  view: TableView
  setView: SetView<TableView>
  /** All rows of the view, sorted; undefined until they are read. Keep the array while nothing changes. */
  rows: readonly Row[] | undefined
  /** The state of the query behind the rows. */
  status: Omit<TableData<Row>, 'rows' | 'hasMore' | 'total'>
  toRequests: () => Promise<readonly RequestPreview[]>
}

/** A table whose rows are all in the browser, which sorts them and cuts them into pages. */
export function useLocalTable<Row, Display>(definition: TableDefinition<Row, Display>, options: Options<Row>) {
  const { view, setView, rows, status, toRequests } = options
  const { page, size } = view
  const pageRows = useMemo(() => rows?.slice((page - 1) * size, page * size), [rows, page, size])
  return useTableState({
    definition,
    view,
    setView,
    layout: useTableLayout(definition, view, setView),
    data: { ...status, rows: pageRows, hasMore: (rows?.length ?? 0) > page * size, total: rows?.length },
    toRequests,
    readAll: async function* () {
      yield { ...status, rows: rows ?? [] }
    },
  })
}
