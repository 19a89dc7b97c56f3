import { isJsonObject } from '../../contract/json-value'
import type { Problem } from '../../contract/problem'
import type { ServerWords } from './api-error'

const maxTextLength = 300
/** Enough for a stack trace in the details that people copy. */
const maxDetailsLength = 20_000

/**
 * Reads the body of an error response, whatever its form: the contract's, other JSON, a page of HTML, or text.
 *
 * @example readServerWords('{"error":{"message":"No such model."}}').text // 'No such model.'
 */
export function readServerWords(body: string): ServerWords {
  const value = parseJson(body)
  const detail = isJsonObject(value) ? value['detail'] : undefined
  const problems = Array.isArray(detail) ? detail.flatMap(toProblem) : []
  if (problems.length > 0) return { problems, text: problems.map(({ msg }) => msg).join(' ') }
  const text = value === undefined ? readMarkup(body) : findText(value, 4)
  // Control characters and marks of direction could make the text say something else than it does.
  const printable = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  if (printable.length <= maxTextLength) return { problems, text: printable }
  return { problems, text: `${printable.slice(0, maxTextLength)}…`, fullText: printable.slice(0, maxDetailsLength) }
}

function toProblem(value: unknown): Problem[] {
  if (!isJsonObject(value) || typeof value['msg'] !== 'string') return []
  const { loc, msg, type } = value
  return [{ loc: Array.isArray(loc) ? loc.map(String) : [], msg, type: typeof type === 'string' ? type : '' }]
}

// FastAPI, Spring, Express, Go's and Google's services, RFC 9457 and OAuth, in the order in which the longer text comes first.
const textKeys = ['detail', 'msg', 'message', 'reason', 'error_description', 'error', 'title', 'errors']

function findText(value: unknown, depth: number): string {
  if (typeof value === 'string') return value
  if (depth === 0 || typeof value !== 'object' || value === null) return ''
  const parts: unknown[] = Array.isArray(value) ? value : []
  if (parts.length > 0)
    return parts
      .slice(0, 5)
      .map((part) => findText(part, depth - 1))
      .join(' ')
  for (const key of textKeys) {
    const text = isJsonObject(value) ? findText(value[key], depth - 1) : ''
    if (text !== '') return text
  }
  return ''
}

function readMarkup(body: string): string {
  if (!/^\s*</.test(body)) return body
  // Browsers put nothing between the texts of two blocks.
  const spaced = body.replaceAll(/<(?!\/?(?:a|b|i|em|strong|code|span)\b)/gi, ' <')
  const page = new DOMParser().parseFromString(spaced, 'text/html')
  return page.title || page.body.textContent
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The callers read it as text.
    return undefined
  }
}
