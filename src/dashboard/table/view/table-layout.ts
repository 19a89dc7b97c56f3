import { useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { useConnection } from '../../client/connection-context'
import { storedValue } from '../../client/stored-value'
import type { TableView } from './url-params'
import type { SetView } from './use-url-state'

/** How a person has arranged a table. Kept per project and table, on this device only. */
const TableLayout = z.object({
  order: z.array(z.string()),
  pinned: z.array(z.string()),
  widths: z.catchall(z.object({}), z.number()),
  hidden: z.optional(z.array(z.string())),
  /** How often rows are read again by themselves; 0: never, `liveRefresh`: when something changes. */
  refreshSeconds: z.number(),
})
export type TableLayout = z.infer<typeof TableLayout>

export const liveRefresh = -1

const defaultLayout: TableLayout = { order: [], pinned: [], widths: {}, refreshSeconds: 0 }
const liveLayout: TableLayout = { ...defaultLayout, refreshSeconds: liveRefresh }

type ColumnDefaults = { id: string; isHiddenByDefault?: boolean }
type Columns = readonly ColumnDefaults[]

export const minColumnWidth = 64

/**
 * Order, pinning, visibility and widths of a table's columns. This is the only model of them: TanStack's features for it
 * would add 3.2 kB (gzip) to the first script, for lists of ids. Hidden columns are part of the URL too, so that a shared
 * link shows the same columns.
 */
export function useTableLayout(
  { name, columns, isLiveByDefault = false }: { name: string; columns: Columns; isLiveByDefault?: boolean },
  view: TableView,
  setView: SetView<TableView>,
) {
  const { projectId } = useConnection()
  const stored = storedValue(TableLayout, `spool.table.${name}.${projectId}`, 'device')
  const load = () => ({ key: stored.key, layout: stored.read() ?? (isLiveByDefault ? liveLayout : defaultLayout) })
  const [loaded, setLoaded] = useState(load)
  const current = loaded.key === stored.key ? loaded : load()
  if (current !== loaded) setLoaded(current)
  const { layout } = current
  const hiddenIds = useMemo(() => getHiddenIds(columns, view.hidden, layout.hidden), [columns, view.hidden, layout.hidden])
  const orderedIds = useMemo(() => orderIds(columns, layout), [columns, layout])
  const visibleIds = useMemo(() => orderedIds.filter((id) => !hiddenIds.includes(id)), [orderedIds, hiddenIds])

  const changeLayout = (change: Partial<TableLayout>) => {
    const next = { ...layout, ...change }
    setLoaded({ key: stored.key, layout: next })
    stored.write(next)
  }
  const isPinned = (id: string | undefined) => id !== undefined && layout.pinned.includes(id)
  /** The visible column that this one would change places with; undefined where it cannot move. */
  const findMoveTarget = (id: string, by: -1 | 1) => {
    const [rowHeaderId] = visibleIds
    const target = visibleIds[visibleIds.indexOf(id) + by]
    return id === rowHeaderId || target === rowHeaderId || isPinned(id) !== isPinned(target) ? undefined : target
  }
  return {
    layout,
    changeLayout,
    hiddenIds,
    /** The ids of the columns on screen, from left to right. The first column, which names the row, is always pinned. */
    visibleIds,
    isPinned,
    findMoveTarget,
    toggleHidden: (toggledId: string) => {
      const ids = columns.map(({ id }) => id).filter((id) => hiddenIds.includes(id) !== (id === toggledId))
      const hidden = hasSameIds(ids, defaultHiddenIds(columns)) ? undefined : ids
      changeLayout({ hidden })
      setView({ hidden })
    },
    togglePinned: (id: string) =>
      changeLayout({ pinned: isPinned(id) ? layout.pinned.filter((each) => each !== id) : [...layout.pinned, id] }),
    move: (id: string, by: -1 | 1) => {
      const target = findMoveTarget(id, by)
      if (target === undefined) return
      const swap = (ids: readonly string[]) => ids.map((each) => (each === id ? target : each === target ? id : each))
      changeLayout(isPinned(id) ? { pinned: swap(layout.pinned) } : { order: swap(orderedIds) })
    },
    setWidth: (id: string, width: number) =>
      changeLayout({ widths: { ...layout.widths, [id]: Math.max(minColumnWidth, width) } }),
    resetWidth: (id: string) => {
      const { [id]: _, ...widths } = layout.widths
      changeLayout({ widths })
    },
    resetColumns: () => {
      changeLayout({ order: [], pinned: [], widths: {}, hidden: undefined })
      setView({ hidden: undefined })
    },
  }
}

export type TableLayoutControls = ReturnType<typeof useTableLayout>

/** The URL decides which columns are hidden, then this device, then the columns' defaults. */
export function getHiddenIds(
  columns: Columns,
  inUrl: readonly string[] | undefined,
  onDevice: readonly string[] | undefined,
): readonly string[] {
  return (inUrl ?? onDevice ?? defaultHiddenIds(columns)).filter((id) => id !== columns[0]?.id)
}

/** All ids from left to right: the first column, the pinned ones, then the others as moved; new columns come last. */
export function orderIds(columns: Columns, { order, pinned }: Pick<TableLayout, 'order' | 'pinned'>): string[] {
  const ids = columns.map(({ id }) => id)
  return [...new Set([...ids.slice(0, 1), ...pinned, ...order, ...ids])].filter((id) => ids.includes(id))
}

function defaultHiddenIds(columns: Columns): string[] {
  return columns.filter((column) => column.isHiddenByDefault).map(({ id }) => id)
}

function hasSameIds(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id) => right.includes(id))
}
