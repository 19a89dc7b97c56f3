// What can be told of JSON text without parsing it, in one pass over its characters.

const quote = 0x22
const colon = 0x3a
const comma = 0x2c

/** Counts the levels, and the objects, lists and entries of objects, until there are too many of either. */
export function measureJson(text: string, depthLimit: number, valueLimit: number): { depth: number; values: number } {
  let depth = 0
  let values = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === quote) index = findEndOfString(text, index)
    else if (code === 0x5b || code === 0x7b) {
      depth += 1
      values += 1
      if (depth > depthLimit || values > valueLimit) break
    } else if (code === 0x5d || code === 0x7d) depth -= 1
    else if (code === colon) values += 1
  }
  return { depth, values }
}

/** The JSON text of each entry of an object; undefined for any other value. */
export function splitJsonObject(text: string): Map<string, string> | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  const entries = new Map<string, string>()
  let depth = 0
  let key: string | undefined
  let valueStart = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    const isClosing = code === 0x5d || code === 0x7d
    if (code === quote) {
      const end = findEndOfString(text, index)
      if (depth === 1 && key === undefined) key = String(JSON.parse(text.slice(index, end + 1)))
      index = end
    } else if (code === 0x5b || code === 0x7b) depth += 1
    else if (depth === 1 && code === colon) valueStart = index + 1
    else if (depth === 1 && key !== undefined && (isClosing || code === comma)) {
      entries.set(key, text.slice(valueStart, index).trim())
      key = undefined
    }
    if (isClosing) depth -= 1
  }
  return entries
}

/** The place of the closing quote. indexOf() goes through long texts many times faster than a loop over their characters. */
function findEndOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

/** Whether an odd number of backslashes stands before this place. */
function isEscaped(text: string, index: number): boolean {
  let first = index
  while (text[first - 1] === '\\') first -= 1
  return (index - first) % 2 === 1
}
