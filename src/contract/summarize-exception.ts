/** A summary is one line of a list: longer ones are cut. */
export const maxSummaryLength = 240

/** How Python's exceptions with a stack begin: their message stands after the last frame of it. */
export const tracebackStart = 'Traceback (most recent call last):'
/** How a frame of such a stack begins. */
export const tracebackFrame = '\n  File "'

/** Much more than a summary takes, and little enough to search in. An exception may have megabytes. */
export const maxExcerptLength = 4096

/**
 * The first line of what an exception says, on one line and cut to `maxSummaryLength` characters; null where it says nothing.
 * Of a stack of Python this is the line after its last frame, of the JSON that Weave's SDK for Python sends its type and message.
 *
 * @example summarizeException('TypeError: no\n    at f (a.js:1:2)') // 'TypeError: no'
 */
export function summarizeException(text: string): string | null {
  const line = (readTraceback(text) ?? readJson(text) ?? readFirstLine(text)).slice(0, maxExcerptLength)
  const words = line.trim().replaceAll(/\s+/g, ' ')
  if (words === '') return null
  const characters = Array.from(words.slice(0, 2 * maxSummaryLength + 2))
  return characters.length > maxSummaryLength ? `${characters.slice(0, maxSummaryLength - 1).join('')}…` : words
}

function readFirstLine(text: string): string {
  return (
    text
      .trimStart()
      .slice(0, maxExcerptLength)
      .split(/[\r\n\u2028\u2029]/, 1)[0] ?? ''
  )
}

function readTraceback(text: string): string | undefined {
  const trimmed = text.trimStart()
  if (!trimmed.startsWith(tracebackStart)) return undefined
  const frame = trimmed.lastIndexOf(tracebackFrame)
  if (frame < 0) return undefined
  const lines = trimmed.slice(frame + 1, frame + 1 + 2 * maxExcerptLength).split('\n')
  return lines.find((line) => /^\S/.test(line))
}

/** The JSON may be cut, as its stack comes last. */
function readJson(text: string): string | undefined {
  const json = text.trimStart().slice(0, maxExcerptLength)
  if (!json.startsWith('{')) return undefined
  const [type, message] = ['type', 'message'].map((key) => {
    const value = new RegExp(String.raw`"${key}"\s*:\s*"((?:[^"\\]|\\(?:[^u]|u[0-9a-fA-F]{4}))*)`).exec(json)?.[1]
    return value === undefined ? '' : parseText(value)
  })
  const line = readFirstLine(message ?? '')
  return line === '' ? undefined : type ? `${type}: ${line}` : line
}

function parseText(inQuotes: string): string {
  try {
    return String(JSON.parse(`"${inQuotes}"`))
  } catch {
    // Not JSON after all.
    return ''
  }
}
