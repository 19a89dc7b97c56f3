import { stringListParam, updateSearch } from '../../table/view/url-params'

/** As the page of threads reads it. */
const params = { answer: stringListParam(10) }

/**
 * The threads in which people gave this answer.
 *
 * @example toAnsweredThreadsHref('tone', 'kind') // '/threads?answer=tone%3Dkind'
 */
export function toAnsweredThreadsHref(scorer: string, value: unknown): string {
  return `/threads?${updateSearch(params, '', { answer: [`${scorer}=${formatValue(value)}`] })}`
}

/** A text that would be read as something else stands in quotes. */
function formatValue(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return value === value.trim() && value !== '' && !isJson(value) ? value : JSON.stringify(value)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
