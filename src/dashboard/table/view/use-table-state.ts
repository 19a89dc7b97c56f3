import { useEffect, useRef, useState } from 'react'
import { connectionIdentity } from '../../client/connection'
import { useConnection } from '../../client/connection-context'
import type { StreamedRows } from '../../client/endpoint-query'
import type { RequestPreview } from '../../client/request-preview'
import type { TableDefinition } from '../column'
import type { TableData } from './table-data'
import type { TableLayoutControls } from './table-layout'
import type { TableView } from './url-params'
import { useNewerRows } from './use-newer-rows'
import type { SetView } from './use-url-state'

type Options<Row, Display> = {
  definition: TableDefinition<Row, Display>
  view: TableView
  setView: SetView<TableView>
  layout: TableLayoutControls
  data: TableData<Row>
  /** Reads the rows that a change of the view will show. Returns what ends it, where nobody makes the change. */
  readAhead?: ReadAhead
  /** The requests behind the rows on screen, for copying. */
  toRequests: () => Promise<readonly RequestPreview[]>
  /** Reads the rows of all pages, for exports. `onFailure` tells whether a request that failed is sent again. */
  readAll: (signal: AbortSignal, onFailure: (error: Error) => boolean) => AsyncIterable<StreamedRows<Row>>
}

export type ReadAhead = (change: Pick<Partial<TableView>, 'sort' | 'page'>) => () => void

/** Adds to rows, wherever they come from, what every table does with them: automatic refresh, newer rows, selection. */
export function useTableState<Row, Display>(options: Options<Row, Display>) {
  const { definition, view, setView, layout, data: latest, readAhead, toRequests, readAll } = options
  const { refreshSeconds } = layout.layout
  const viewKey = JSON.stringify({ ...view, row: undefined, hidden: undefined })
  const { data, newerCount, showNewer, showNext } = useNewerRows(latest, viewKey, refreshSeconds !== 0, definition)
  const [selected, setSelected] = useSelection<Row>(definition.name)
  const lastUpdatedAt = useLastUpdatedAt(latest.updatedAt)
  useRefreshInterval(refreshSeconds, latest)
  return {
    ...layout,
    definition,
    view,
    setView,
    /** Differs between views that have different rows. */
    viewKey,
    data,
    lastUpdatedAt,
    newerCount,
    showNewer,
    refresh: () => {
      showNext()
      void latest.refetch()
    },
    readAhead,
    toRequests,
    readAll,
    /** Selected rows by id, also those of other pages. */
    selected,
    setSelected,
  }
}

export type TableState<Row, Display> = ReturnType<typeof useTableState<Row, Display>>

// Module state: a selection outlives its page. That of another project or page is forgotten.
const selections = new Map<string, { owner: string; rows: ReadonlyMap<string, unknown> }>()

/** Selected rows by id, until they are cleared or another project is opened. */
function useSelection<Row>(tableName: string) {
  const connection = useConnection()
  // Each queue has a page of its own, with the same table.
  const owner = JSON.stringify([connectionIdentity(connection), connection.projectId, location.pathname])
  const [selected, setSelected] = useState(() => {
    const kept = selections.get(tableName)
    return kept?.owner === owner ? (kept.rows as ReadonlyMap<string, Row>) : new Map<string, Row>() // a table has rows of one type
  })
  const select = (rows: ReadonlyMap<string, Row>) => {
    selections.set(tableName, { owner, rows })
    setSelected(rows)
  }
  return [selected, select] as const
}

/** When rows last arrived, milliseconds. While a new view loads, react-query says 0; then this keeps the time before. */
export function useLastUpdatedAt(updatedAt: number): number {
  const [lastUpdatedAt, setLastUpdatedAt] = useState(() => Date.now())
  if (updatedAt > lastUpdatedAt) setLastUpdatedAt(updatedAt)
  return Math.max(lastUpdatedAt, updatedAt)
}

/** Refetches every so many seconds (0 and less: never), unless a request is running or the tab is hidden. */
function useRefreshInterval(seconds: number, data: TableData<unknown>): void {
  const latest = useRef(data)
  // The ref lets the timer run on when new rows arrive.
  useEffect(() => {
    latest.current = data
  })
  useEffect(() => {
    if (seconds <= 0) return
    const refresh = () => {
      if (document.visibilityState === 'visible' && !latest.current.isFetching) void latest.current.refetch()
    }
    const timer = setInterval(refresh, seconds * 1000)
    return () => clearInterval(timer)
  }, [seconds])
}
