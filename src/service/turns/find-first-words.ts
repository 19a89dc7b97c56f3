import { isJsonObject } from '../../contract/json-value'

const maxCharacters = 160
const maxDepth = 6
/** What people and libraries call the text that a turn is given, most telling first. */
const textKeys = ['question', 'query', 'message', 'user_message', 'user_input', 'prompt', 'input', 'text', 'content', 'request']

/**
 * How the text begins that a turn was given: that of the last message of the user where the inputs have messages, else of the
 * most telling field, else the first text that there is. Null where there is none.
 */
export function findFirstWords(inputs: unknown): string | null {
  const text = findText(inputs, 0)?.trim().replaceAll(/\s+/g, ' ')
  if (!text) return null
  const characters = Array.from(text.slice(0, 2 * maxCharacters + 2))
  return characters.length > maxCharacters ? `${characters.slice(0, maxCharacters - 1).join('')}…` : text
}

function findText(value: unknown, depth: number): string | undefined {
  if (depth > maxDepth) return undefined
  if (typeof value === 'string') return readText(value, depth)
  if (Array.isArray(value)) return findInList(value, depth)
  return isJsonObject(value) ? findInObject(value, depth) : undefined
}

/** Text as it is. Some libraries send their messages as JSON text; references and embedded files say nothing to a reader. */
function readText(text: string, depth: number): string | undefined {
  if (text.trim() === '' || /^(?:weave(?:-trace-internal)?:\/\/\/|data:[^\s,]*,)/.test(text)) return undefined
  if (!/^\s*(?:\{|\[\s*[{"])/.test(text)) return text
  try {
    return findText(JSON.parse(text), depth + 1) ?? text
  } catch {
    // Not JSON after all.
    return text
  }
}

function findInList(items: readonly unknown[], depth: number): string | undefined {
  const isFromUser = (item: unknown) => isJsonObject(item) && (item['role'] === 'user' || item['role'] === 'human')
  const lastOfUser = items.findLast((item) => isFromUser(item) && findText(item, depth + 1) !== undefined)
  if (lastOfUser !== undefined) return findText(lastOfUser, depth + 1)
  for (const item of items) {
    const text = findText(item, depth + 1)
    if (text !== undefined) return text
  }
  return undefined
}

function findInObject(object: Readonly<Record<string, unknown>>, depth: number): string | undefined {
  const lists = Object.values(object).filter((value) => Array.isArray(value) && value.some(isMessage))
  // What says whose text it is, or which model gets it, is not the text.
  const others = Object.keys(object).filter(
    (key) => !textKeys.includes(key) && !/^(?:role|type|name|model|id|self)$|_id$/.test(key),
  )
  const values = [...lists, ...[...textKeys, ...others].map((key) => object[key])]
  for (const value of values) {
    const text = findText(value, depth + 1)
    if (text !== undefined) return text
  }
  return undefined
}

function isMessage(item: unknown): boolean {
  return isJsonObject(item) && typeof item['role'] === 'string'
}
