import { Skeleton } from '../../ui/Skeleton'
import type { VisibleColumn } from './use-column-model'

// The smallest height of a row; on a phone rows are cards.
const minRowPx = 28
const minCardPx = 150

type Props<Row extends object, Display> = { max: number; visibleColumns: readonly VisibleColumn<Row, Display>[] }

/**
 * Placeholders of a row's height while the first rows load, so that nothing moves when they arrive: at most `max`. They are
 * still: a line above them moves already, and hundreds of animations would take the time that the rows need.
 */
export function SkeletonRows<Row extends object, Display>({ max, visibleColumns }: Props<Row, Display>) {
  const fitting = Math.ceil(innerHeight / (innerWidth < 640 ? minCardPx : minRowPx))
  return Array.from({ length: Math.min(max, fitting) }, (_, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- placeholders have no identity
    <tr key={index} aria-hidden="true" className="body-row">
      <td className="select-cell">
        <Skeleton className="size-3.5" isStill />
      </td>
      {visibleColumns.map(({ column }, columnIndex) => (
        <td key={column.id} className={`body-cell ${column.align === 'end' ? 'is-end' : ''}`}>
          <Skeleton className={`h-2.5 ${columnIndex === 0 ? 'w-40' : 'w-14'} max-w-full align-middle`} isStill />
        </td>
      ))}
    </tr>
  ))
}
