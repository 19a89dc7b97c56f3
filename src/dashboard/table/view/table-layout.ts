import { useState } from 'react'
import * as z from 'zod/mini'
import { useConnection } from '../../client/connection-context'
import { storedValue } from '../../client/stored-value'
import type { TableDefinition } from '../column'
import type { TableView } from './url-params'
import type { SetView } from './use-url-state'

/** How a person has arranged a table. Kept per project and table, on this device only. */
const TableLayout = z.object({
  order: z.array(z.string()),
  pinned: z.array(z.string()),
  widths: z.catchall(z.object({}), z.number()),
  hidden: z.optional(z.array(z.string())),
  refreshSeconds: z.number(),
})
export type TableLayout = z.infer<typeof TableLayout>

const defaultLayout: TableLayout = { order: [], pinned: [], widths: {}, refreshSeconds: 0 }

type ColumnDefaults = { id: string; isHiddenByDefault?: boolean }

/** The layout of a table: hidden columns are part of the URL too, so that a shared link shows the same columns. */
export function useTableLayout(
  { name, columns }: Pick<TableDefinition<never, never>, 'name'> & { columns: readonly ColumnDefaults[] },
  view: TableView,
  setView: SetView<TableView>,
) {
  const { projectId } = useConnection()
  const stored = storedValue(TableLayout, `spool.table.${name}.${projectId}`, 'device')
  const load = () => ({ key: stored.key, layout: stored.read() ?? defaultLayout })
  const [loaded, setLoaded] = useState(load)
  const current = loaded.key === stored.key ? loaded : load()
  if (current !== loaded) setLoaded(current)
  const { layout } = current

  const changeLayout = (change: Partial<TableLayout>) => {
    const next = { ...layout, ...change }
    setLoaded({ key: stored.key, layout: next })
    stored.write(next)
  }
  const setHiddenIds = (ids: readonly string[] | undefined) => {
    const hidden = ids && !hasSameIds(ids, defaultHiddenIds(columns)) ? [...ids] : undefined
    changeLayout({ hidden })
    setView({ hidden })
  }
  return {
    layout,
    changeLayout,
    hiddenIds: getHiddenIds(columns, view, layout),
    setHiddenIds,
    resetColumns: () => {
      changeLayout({ order: [], pinned: [], widths: {}, hidden: undefined })
      setView({ hidden: undefined })
    },
  }
}

/** The URL decides which columns are hidden, then this device, then the columns' defaults. */
export function getHiddenIds(
  columns: readonly ColumnDefaults[],
  view: Pick<TableView, 'hidden'>,
  layout: Pick<TableLayout, 'hidden'>,
): readonly string[] {
  return (view.hidden ?? layout.hidden ?? defaultHiddenIds(columns)).filter((id) => id !== columns[0]?.id)
}

function defaultHiddenIds(columns: readonly ColumnDefaults[]): string[] {
  return columns.filter((column) => column.isHiddenByDefault).map(({ id }) => id)
}

function hasSameIds(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id) => right.includes(id))
}
