import { formatCount } from '../../format/count'
import type { TableData } from '../view/table-data'

/** Which rows are on screen, such as `Rows 51–100, more follow`. A total is given only where it is known. */
export function formatRowRange(
  data: Pick<TableData<unknown>, 'rows' | 'hasMore' | 'total' | 'isComplete' | 'isEndKnown' | 'rowsView'> &
    Partial<Pick<TableData<unknown>, 'brokenLines'>>,
): string {
  const { page, size } = data.rowsView
  const count = data.rows?.length ?? 0
  if (count === 0) return data.rows === undefined ? '' : data.brokenLines?.length ? 'No readable rows' : 'No rows'
  const first = (page - 1) * size + 1
  const range = `Rows ${format(first)}–${format(first + count - 1)}`
  if (data.total !== undefined) return `${range} of ${format(data.total)}`
  if (data.hasMore) return `${range}, more follow`
  return data.isComplete && data.isEndKnown !== false ? `${range}, end of list` : range
}

function format(value: number): string {
  return formatCount(String(value))
}
