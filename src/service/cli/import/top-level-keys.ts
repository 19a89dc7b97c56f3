export type Key = { name: string; depth: 1 | 2; line: number }

/** What of a JSON text is read without parsing it: the keys of its first value, and where that value ends. */
export type Outline = {
  /** Of the outermost object (depth 1) and of the objects right in it (depth 2), in order. */
  keys: Key[]
  /** Where the first value ends; undefined where the text is cut before. */
  end: number | undefined
}

/** Walks over JSON text that may be cut anywhere; of text that is no JSON the outline means nothing. */
export function outlineOf(text: string): Outline {
  const keys: Key[] = []
  const open: ('{' | '[')[] = []
  let line = 1
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '\n') line += 1
    else if (character === '{' || character === '[') open.push(character)
    else if (character === '}' || character === ']') {
      open.pop()
      if (open.length === 0) return { keys, end: index + 1 }
    } else if (character === '"') {
      const end = endOfString(text, index)
      if (end === undefined) break
      const depth = open.length
      const isKey =
        (depth === 1 || depth === 2) && open.every((bracket) => bracket === '{') && /^\s*:/.test(text.slice(end, end + 20))
      if (isKey) keys.push({ name: nameOf(text.slice(index, end)), depth, line })
      index = end - 1
    }
  }
  return { keys, end: undefined }
}

function endOfString(text: string, start: number): number | undefined {
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1
    else if (text[index] === '"') return index + 1
  }
  return undefined
}

function nameOf(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch {
    return literal.slice(1, -1)
  }
}
