import { formatCount } from '../../format/count'
import type { TableData } from '../view/table-data'
import type { TableView } from '../view/url-params'

/** Where in the whole the rows on screen stand, without inventing how many there are: `Rows 51–100, more follow`. */
export function formatRowRange(answer: TableData<unknown>, { page, size }: Pick<TableView, 'page' | 'size'>): string {
  const count = answer.rows?.length ?? 0
  if (count === 0) return answer.rows === undefined ? '' : 'No rows'
  const first = (page - 1) * size + 1
  const range = `Rows ${number(first)}–${number(first + count - 1)}`
  if (answer.total !== undefined) return `${range} of ${number(answer.total)}`
  if (answer.hasMore) return `${range}, more follow`
  return answer.isComplete ? `${range}, end of list` : range
}

function number(value: number): string {
  return formatCount(String(value))
}
