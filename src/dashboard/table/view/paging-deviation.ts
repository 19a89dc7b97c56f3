import type { RowsOfResponse } from '../../client/parse-rows'
import { formatCount } from '../../format/count'
import type { SortKey } from './url-params'

/** How a service departs from the page that was asked for. */
export type PagingDeviation = 'limit' | 'offset' | 'sort' | 'cap' | 'refused'

const habits: Record<PagingDeviation, string> = {
  limit: 'sends more rows than asked for',
  offset: 'always sends the first rows, whatever page is asked for',
  sort: 'does not sort as asked',
  cap: 'sends fewer rows than asked for although more follow',
  refused: 'does not accept pages of this size',
}

/** Why the table is not the service's own page. Of one row there is nothing to say: it is neither sorted nor paged. */
export function describeDeviation(deviation: PagingDeviation, readCount: number, isTruncated: boolean): string | undefined {
  if (readCount < 2 && !isTruncated) return undefined
  const count = formatCount(String(readCount))
  const extent = isTruncated ? `its first ${count} rows were read, more exist` : `all its ${count} rows were read`
  return `This service ${habits[deviation]}: ${extent}, and they are sorted and paged here.`
}

/** What a page shows of the service's habits by itself. */
export function findDeviation(
  { rows }: RowsOfResponse<object>,
  limit: number,
  [key]: readonly SortKey[],
): PagingDeviation | undefined {
  // Unreadable lines may be pieces of one row, so they do not count.
  if (rows.length > limit) return 'limit'
  return key && !isSorted(rows, key) ? 'sort' : undefined
}

/** The rows around a page, as a probe reads them: the first of the list, and the first after the page. */
type Neighbors = { first: object | undefined; next: object | undefined }

/** What the rows around a page say about it. */
export function findDeviationByNeighbors(
  rows: readonly object[],
  offset: number,
  { first, next }: Neighbors,
): PagingDeviation | undefined {
  const isRepeated = (row: object | undefined) => row !== undefined && JSON.stringify(row) === JSON.stringify(rows[0])
  if ((offset > 0 && isRepeated(first)) || isRepeated(next)) return 'offset'
  return next ? 'cap' : undefined
}

/** Text is not compared: services order it in many ways. */
function isSorted(rows: readonly object[], { id, direction }: SortKey): boolean {
  const values = rows.flatMap((row) => {
    const value = readSortValue(row, id)
    return value === null || isText(value) ? [] : [value]
  })
  return values.every((value, index) => {
    const before = values[index - 1] ?? value
    return direction === 'asc' ? before <= value : before >= value
  })
}

/** The value that rows are sorted by. Instants without their `Z` sort as text: `…00` before `…00.000001`. */
export function readSortValue(row: object, field: string): string | number | null {
  const value: unknown = field in row ? row[field as keyof typeof row] : null // just checked
  if (typeof value === 'string') return isText(value) ? value : value.slice(0, -1)
  return typeof value === 'number' ? value : null
}

function isText(value: string | number): boolean {
  return typeof value === 'string' && !/^\d{4}-\d\d-\d\dT[\d:.]+Z?$/.test(value)
}
