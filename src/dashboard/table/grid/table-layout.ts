import { useState } from 'react'
import * as z from 'zod/mini'

/** How a person has arranged a table: kept for each project and table, on this device only. */
const TableLayout = z.object({
  order: z.array(z.string()),
  pinned: z.array(z.string()),
  widths: z.catchall(z.object({}), z.number()),
  hidden: z.optional(z.array(z.string())),
  refreshSeconds: z.number(),
})
export type TableLayout = z.infer<typeof TableLayout>

const untouched: TableLayout = { order: [], pinned: [], widths: {}, refreshSeconds: 0 }

export function useTableLayout(table: string, projectId: string) {
  const key = `spool.table.${table}.${projectId}`
  const [kept, setKept] = useState(() => ({ key, layout: readLayout(key) }))
  const current = kept.key === key ? kept : { key, layout: readLayout(key) }
  if (current !== kept) setKept(current)
  const change = (part: Partial<TableLayout>) => {
    const layout = { ...current.layout, ...part }
    setKept({ key, layout })
    try {
      localStorage.setItem(key, JSON.stringify(layout))
    } catch {
      // Storage is full or forbidden: the arrangement lasts as long as the page.
    }
  }
  return [current.layout, change] as const
}

function readLayout(key: string): TableLayout {
  try {
    const kept = z.safeParse(TableLayout, JSON.parse(localStorage.getItem(key) ?? 'null'))
    return kept.success ? kept.data : untouched
  } catch {
    return untouched
  }
}

export const minColumnWidth = 64

/** The part of a layout that changes when a column gets another width. */
export function withWidth({ widths }: TableLayout, columnId: string, width: number): Pick<TableLayout, 'widths'> {
  return { widths: { ...widths, [columnId]: Math.max(minColumnWidth, width) } }
}
