import { memo } from 'react'
import type { PlacedColumn } from './use-column-model'

type Props<Row, Context> = {
  row: Row
  id: string
  index: number
  placed: readonly PlacedColumn<Row, Context>[]
  context: Context
  isSelected: boolean
  isOpen: boolean
  /** The one row that the tab key reaches; arrows go on from there. */
  isTabStop: boolean
}

/**
 * A row draws again only when something about it changed. Presses and keys are heard by the table's body, so that no row
 * carries handlers of its own.
 */
export const TableRow = memo(function TableRow<Row, Context>(props: Props<Row, Context>) {
  const { row, id, index, placed, context, isSelected, isOpen, isTabStop } = props
  return (
    <tr data-index={index} data-selected={isSelected || undefined} data-open={isOpen || undefined} className="body-row">
      <td className="select-cell is-pinned" style={{ left: 0 }}>
        {/* Space on the row does the same; fifty more tab stops would help nobody. */}
        <input type="checkbox" tabIndex={-1} aria-label={`Select ${id}`} checked={isSelected} readOnly data-select />
      </td>
      {placed.map(({ column, stickAt }, place) => {
        const content = column.cell(row, context)
        const look = `body-cell ${stickAt === undefined ? '' : 'is-pinned'} ${column.align === 'end' ? 'is-end' : ''}`
        return place === 0 ? (
          <th key={column.id} scope="row" data-label={column.label} style={{ left: stickAt }} className={look}>
            <button type="button" tabIndex={isTabStop ? 0 : -1} data-row-button aria-expanded={isOpen} className="row-button">
              {content}
            </button>
          </th>
        ) : (
          <td
            key={column.id}
            data-label={column.label}
            data-unit={column.unit?.(context)}
            style={{ left: stickAt }}
            className={look}
          >
            {content}
          </td>
        )
      })}
    </tr>
  )
}) as <Row, Context>(props: Props<Row, Context>) => React.ReactNode // memo forgets that a component is generic
