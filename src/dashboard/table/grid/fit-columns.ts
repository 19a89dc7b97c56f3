import type { TableLayout } from '../view/table-layout'
import { minFirstWidth, selectionWidth, type VisibleColumn } from './use-column-model'

/** Beside the panel of a row only the columns that fit are rendered: nobody scrolls beside a panel. Of `tableWidth` pixels. */
export function fitBesidePanel<Row, Display>(
  columns: readonly VisibleColumn<Row, Display>[],
  sortedIds: readonly string[],
  tableWidth: number,
): readonly VisibleColumn<Row, Display>[] {
  const fits = columns.map(({ column, width }, index) => ({
    id: column.id,
    width: index === 0 ? Math.min(width, minFirstWidth) : width,
  }))
  const ids = new Set(fitColumns(fits, new Set(sortedIds), tableWidth - selectionWidth).map(({ id }) => id))
  return columns.filter(({ column }) => ids.has(column.id))
}

type Fit = { id: string; width: number }

/** The columns that fit, in their order: the first one and those that sort the rows in any case, then others from the left. */
export function fitColumns(columns: readonly Fit[], sortedIds: ReadonlySet<string>, availableWidth: number): readonly Fit[] {
  const isKept = (id: string) => id === columns[0]?.id || sortedIds.has(id)
  let rest = columns.reduce((width, column) => (isKept(column.id) ? width - column.width : width), availableWidth)
  return columns.filter(({ id, width }) => {
    if (isKept(id)) return true
    // What follows a column without room stays away too: a gap would be a riddle.
    rest = width > rest ? -1 : rest - width
    return rest >= 0
  })
}

/** Wider, figures would stand far from the name that they belong to. */
const maxFirstWidth = 300

type Columns = readonly { column: { id: string }; width: number }[]

/**
 * Pixels of the first column, which takes what the others leave unless its width is chosen or a column is pinned beside it, and
 * of the whole table, which is at least as wide as its place. `firstMin`: without it the first column has room for names where
 * there is any, and gives way to the figures in the narrowest place.
 */
export function arrangeWidths(
  [first, ...rest]: Columns,
  { widths, pinned }: Pick<TableLayout, 'widths' | 'pinned'>,
  { tableWidth, firstMin }: { tableWidth: number; firstMin: number | undefined },
): { first: number; table: number } {
  const restWidth = rest.reduce((sum, { width }) => sum + width, selectionWidth)
  const min = firstMin ?? clamp(minFirstWidth, 0.54 * tableWidth - 190, 180)
  const isChosen = first !== undefined && (pinned.length > 0 || first.column.id in widths)
  const firstWidth = isChosen ? first.width : Math.max(min, Math.min(tableWidth - restWidth, maxFirstWidth))
  return { first: firstWidth, table: Math.max(tableWidth, restWidth + (isChosen ? first.width : min)) }
}

function clamp(min: number, value: number, max: number): number {
  return Math.min(Math.max(min, value), max)
}
