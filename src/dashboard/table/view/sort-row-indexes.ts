import { compareText } from '../../../contract/compare-text'
import type { SortKey } from './url-params'

type Value = string | number | null | undefined

/**
 * The order of `rows` by several keys, as row indexes; unset values come last in both directions, ties keep the order the
 * rows have. Each key becomes numbers once (text is ranked), so that comparing is arithmetic.
 */
export function sortRowIndexes<Row>(
  rows: readonly Row[],
  keys: readonly SortKey[],
  valueOf: (row: Row, id: string) => Value,
): Uint32Array {
  const order = Uint32Array.from(rows, (_, index) => index)
  const columns = keys.map(({ id, direction }) => ({
    numbers: toSortableNumbers(rows.map((row) => valueOf(row, id))),
    sign: direction === 'desc' ? -1 : 1,
  }))
  return order.toSorted((left, right) => {
    for (const { numbers, sign } of columns) {
      const a = numbers[left] ?? Number.NaN
      const b = numbers[right] ?? Number.NaN
      if (a === b) continue
      const isLeftUnset = Number.isNaN(a)
      const isRightUnset = Number.isNaN(b)
      if (isLeftUnset && isRightUnset) continue
      if (isLeftUnset) return 1
      if (isRightUnset) return -1
      return a < b ? -sign : sign
    }
    return left - right
  })
}

/** NaN stands for unset. Text is ordered by its UTF-8 bytes, as the wire orders it. */
function toSortableNumbers(values: readonly Value[]): Float64Array {
  const words = new Set(values.filter((value) => typeof value === 'string'))
  const ranked = new Map([...words].toSorted(compareText).map((word, rank) => [word, rank]))
  return Float64Array.from(values, (value) =>
    typeof value === 'string' ? (ranked.get(value) ?? Number.NaN) : (value ?? Number.NaN),
  )
}
