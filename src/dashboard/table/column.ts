import type { ReactNode } from 'react'

/**
 * A column, described once: header, cell, export. `id` is the wire's field name where there is one; sort keys and the
 * URL use it. `Context` is what cells need beside their row, such as the price unit.
 */
export type Column<Row, Context> = {
  id: string
  label: string
  /** In what the figures are given; stands quietly beside the label. */
  unit?: (context: Context) => string | undefined
  /** What the column means, for the title of its header. */
  hint?: string
  /** Pixels, until the person changes it; what the cells need may depend on what they show. */
  width: number | ((context: Context) => number)
  align?: 'end'
  isHiddenAtFirst?: boolean
  cell: (row: Row, context: Context) => ReactNode
  /** The raw value an export carries, in the unit that `exportUnit` names. */
  exported: (row: Row, context: Context) => ExportValue
  exportUnit?: string
  /** Exported also while hidden, because other columns say little without it. */
  isAlwaysExported?: boolean
}

export type ExportValue = string | number | boolean | null
