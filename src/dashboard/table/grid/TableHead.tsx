import type { TableLayoutControls } from '../view/table-layout'
import type { ReadAhead } from '../view/use-table-state'
import { HeaderCell } from './HeaderCell'
import { type ColumnModel, selectionWidth, type VisibleColumn } from './use-column-model'

type Props<Row extends object, Display> = {
  layout: TableLayoutControls
  readAhead: ReadAhead | undefined
  model: ColumnModel<Row, Display>
  columns: readonly VisibleColumn<Row, Display>[]
  /** Pixels of the first column; undefined before the first layout. */
  firstWidth: number | undefined
  display: Display
  isEverySelected: boolean
  onSelectAll: (isSelected: boolean) => void
}

export function TableHead<Row extends object, Display>({
  layout,
  readAhead,
  model,
  columns,
  firstWidth,
  display,
  isEverySelected,
  onSelectAll,
}: Props<Row, Display>) {
  const { table } = model
  return (
    <thead>
      <tr>
        <th scope="col" data-label="" className="head-cell select-head is-pinned" style={{ width: selectionWidth, left: 0 }}>
          <input
            type="checkbox"
            aria-label="Select all rows of this page"
            checked={isEverySelected}
            disabled={table.getRowModel().rows.length === 0}
            onChange={() => onSelectAll(!isEverySelected)}
            className="block size-3.5 cursor-pointer accent-accent"
          />
        </th>
        {columns.map((visible, index) => (
          <HeaderCell
            key={visible.column.id}
            visible={visible}
            shownWidth={index === 0 ? firstWidth : visible.width}
            display={display}
            table={table}
            layout={layout}
            readAhead={readAhead}
          />
        ))}
      </tr>
    </thead>
  )
}
