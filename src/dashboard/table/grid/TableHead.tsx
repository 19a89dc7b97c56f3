import type { TableLayoutControls } from '../view/table-layout'
import { HeaderCell } from './HeaderCell'
import { type ColumnModel, selectionWidth } from './use-column-model'

type Props<Row extends object, Display> = {
  layout: TableLayoutControls
  model: ColumnModel<Row, Display>
  display: Display
  isEverySelected: boolean
  onSelectAll: (isSelected: boolean) => void
}

export function TableHead<Row extends object, Display>({
  layout,
  model,
  display,
  isEverySelected,
  onSelectAll,
}: Props<Row, Display>) {
  const { table, visibleColumns } = model
  const { pinned, widths } = layout.layout
  // The first column fills the free width, unless columns are pinned beside it: their offset depends on its exact width.
  const elasticId = (pinned.length > 0 ? visibleColumns.at(-1) : visibleColumns[0])?.column.id
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
        {visibleColumns.map((visible) => (
          <HeaderCell
            key={visible.column.id}
            visible={visible}
            display={display}
            table={table}
            layout={layout}
            isElastic={visible.column.id === elasticId && widths[visible.column.id] === undefined}
          />
        ))}
      </tr>
    </thead>
  )
}
