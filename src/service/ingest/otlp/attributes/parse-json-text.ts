import type { Json } from './attributes'

const maxTextDepth = 100

/** The object or list that a text holds; any other text, and one that parsing would change, stays text. */
export function parseJsonText(text: string): Json {
  // Parsing would round a whole number of more than 15 digits.
  if (!/^\s*[[{]/.test(text) || /[[:,]\s*-?\d{16}/.test(text) || isNestedDeeper(text, maxTextDepth)) return text
  try {
    const parsed: Json = JSON.parse(text)
    return parsed
  } catch {
    // Text that only begins like JSON.
    return text
  }
}

/** Whether more brackets are open at once. Brackets inside strings count too: then the text stays text, nothing is lost. */
function isNestedDeeper(text: string, limit: number): boolean {
  let depth = 0
  for (let index = 0; index < text.length && depth <= limit; index += 1) {
    const character = text[index]
    if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
  }
  return depth > limit
}
