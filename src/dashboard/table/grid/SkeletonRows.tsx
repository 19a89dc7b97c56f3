import { Skeleton } from '../../ui/Skeleton'
import type { PlacedColumn } from './use-column-model'

// The lowest that rows get; on a phone they are cards.
const leastRowPx = 28
const leastCardPx = 150

/**
 * Rows of the final height while the first ones are on their way, so that nothing jumps when they come: as many as the
 * window has room for, `most` at most.
 */
export function SkeletonRows<Row, Context>({ most, placed }: { most: number; placed: readonly PlacedColumn<Row, Context>[] }) {
  const room = Math.ceil(innerHeight / (innerWidth < 640 ? leastCardPx : leastRowPx))
  return Array.from({ length: Math.min(most, room) }, (_, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- placeholders have no identity
    <tr key={index} aria-hidden="true" className="body-row">
      <td className="select-cell">
        <Skeleton className="size-3.5" />
      </td>
      {placed.map(({ column }, place) => (
        <td key={column.id} className={`body-cell ${column.align === 'end' ? 'is-end' : ''}`}>
          <Skeleton className={`h-2.5 ${place === 0 ? 'w-40' : 'w-14'} max-w-full align-middle`} />
        </td>
      ))}
    </tr>
  ))
}
