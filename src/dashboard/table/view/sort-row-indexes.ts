import { compareText } from '../../../contract/compare-text'
import type { SortKey } from './url-params'

type Value = string | number | null | undefined

/**
 * Sorts by several keys and returns row indexes. Unknown values are last in both directions; equal rows keep their order.
 * Each key is turned into numbers once, so that a comparison is arithmetic only.
 */
export function sortRowIndexes<Row>(
  rows: readonly Row[],
  keys: readonly SortKey[],
  getValue: (row: Row, id: string) => Value,
): Uint32Array {
  const order = Uint32Array.from(rows, (_, index) => index)
  const columns = keys.map(({ id, direction }) => ({
    numbers: toSortableNumbers(rows.map((row) => getValue(row, id))),
    sign: direction === 'desc' ? -1 : 1,
  }))
  return order.toSorted((left, right) => {
    for (const { numbers, sign } of columns) {
      const a = numbers[left] ?? Number.NaN
      const b = numbers[right] ?? Number.NaN
      if (a === b) continue
      const isLeftUnknown = Number.isNaN(a)
      const isRightUnknown = Number.isNaN(b)
      if (isLeftUnknown && isRightUnknown) continue
      if (isLeftUnknown) return 1
      if (isRightUnknown) return -1
      return a < b ? -sign : sign
    }
    return left - right
  })
}

/** One number per value: NaN if it is unknown, for text its rank by UTF-8 bytes, which is the server's order. */
function toSortableNumbers(values: readonly Value[]): Float64Array {
  const texts = new Set(values.filter((value) => typeof value === 'string'))
  const ranks = new Map([...texts].toSorted(compareText).map((text, rank) => [text, rank]))
  return Float64Array.from(values, (value) =>
    typeof value === 'string' ? (ranks.get(value) ?? Number.NaN) : (value ?? Number.NaN),
  )
}
