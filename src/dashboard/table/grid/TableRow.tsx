import { memo } from 'react'
import { Link } from 'wouter'
import { formatVisibleText } from '../../format/visible-text'
import type { VisibleColumn } from './use-column-model'

type Props<Row extends object, Display> = {
  row: Row
  /** Of the row, for its checkbox. */
  name: string
  /** The row's own page; without it a row opens its panel. */
  href?: string | undefined
  index: number
  visibleColumns: readonly VisibleColumn<Row, Display>[]
  display: Display
  isSelected: boolean
  isOpen: boolean
  /** The one row that the Tab key reaches; the arrow keys go on from there. */
  isTabStop: boolean
}

/** Renders again only when its props change. Clicks and keys are handled by the table's body, so rows have no handlers. */
export const TableRow = memo(function TableRow<Row extends object, Display>(props: Props<Row, Display>) {
  const { row, name, href, index, visibleColumns, display, isSelected, isOpen, isTabStop } = props
  return (
    <tr data-index={index} data-selected={isSelected || undefined} data-open={isOpen || undefined} className="body-row">
      <td className="select-cell is-pinned" style={{ left: 0 }}>
        {/* Not a tab stop: Space on the row does the same. */}
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${formatVisibleText(name)}`}
          checked={isSelected}
          readOnly
          data-select
        />
      </td>
      {visibleColumns.map(({ column, stickyLeft }, columnIndex) => {
        const content = column.cell(row, display)
        const className = `body-cell ${stickyLeft === undefined ? '' : 'is-pinned'} ${column.align === 'end' ? 'is-end' : ''}`
        return columnIndex === 0 ? (
          <th key={column.id} scope="row" data-label={column.label} style={{ left: stickyLeft }} className={className}>
            {href === undefined ? (
              <button type="button" tabIndex={isTabStop ? 0 : -1} data-row-button aria-expanded={isOpen} className="row-button">
                {content}
              </button>
            ) : (
              <Link href={href} tabIndex={isTabStop ? 0 : -1} data-row-button className="row-button">
                {content}
              </Link>
            )}
          </th>
        ) : (
          <td
            key={column.id}
            data-label={column.label}
            data-unit={column.unit?.(display)}
            style={{ left: stickyLeft }}
            className={className}
          >
            {content}
          </td>
        )
      })}
    </tr>
  )
}) as <Row extends object, Display>(props: Props<Row, Display>) => React.ReactNode // memo loses the type parameters
