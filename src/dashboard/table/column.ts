import type { ReactNode } from 'react'
import type { EventTopic } from '../../contract/events'

/**
 * A column, described once: header, cells, export. `id` is the wire's field name where there is one; sort keys and the
 * URL use it. `Display` is what the cells need beside their row, such as the time zone or the price unit.
 */
export type Column<Row, Display> = {
  id: string
  label: string
  /** The unit of the figures, shown beside the label. */
  unit?: (display: Display) => string | undefined
  /** What the column means: the tooltip of its header. */
  description?: string
  /** Pixels, until the person changes it. */
  width: number | ((display: Display) => number)
  align?: 'end'
  isHiddenByDefault?: boolean
  cell: (row: Row, display: Display) => ReactNode
  /** The raw value for exports, in the unit that `exportUnit` names. Without it, exports leave the column out. */
  exportValue?: (row: Row, display: Display) => ExportValue
  exportUnit?: string
  /** Known only for the rows on screen, so exports of all pages leave it out. */
  isOnPageOnly?: boolean
  /** Exported even while hidden, because other columns are ambiguous without it. */
  isAlwaysExported?: boolean
}

export type ExportValue = string | number | boolean | null

/** What is fixed about a table. Define it at module scope. The first column names the row: it is never hidden or moved. */
export type TableDefinition<Row, Display, SortField extends string = string> = {
  /** Key of the layout on this device, and the name of exported files. */
  name: string
  /** The accessible name of the table. */
  label: string
  columns: readonly Column<Row, Display>[]
  /** Pixels that the first column keeps where the window is too narrow for all columns. */
  minFirstWidth?: number
  getRowId: (row: Row) => string
  /** What a person calls the row; without it, its id. */
  getRowName?: (row: Row) => string
  /** The row's own page; without it a row opens its panel. */
  rowHref?: (row: Row, display: Display) => string | undefined
  /** What an event is about after which the rows are to be read again. */
  topic?: EventTopic
  /** Rows are read again when something changes, unless the person turns it off. */
  isLiveByDefault?: boolean
  /** A row that changed in its place is shown at once; only rows that come, go or move wait until the person wants them. */
  updatesInPlace?: boolean
  /** What an export says in every row beside its columns, such as the window that is counted. */
  exportContext?: Readonly<Record<string, ExportValue>>
  /** The columns that can be sorted by. */
  sortableIds: readonly SortField[]
}
