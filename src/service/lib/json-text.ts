/**
 * A value that is JSON already, as it was stored. It goes into a response as it is: to parse and serialise 30 MB of small
 * objects takes seconds, in which the process serves nobody.
 */
export class JsonText {
  constructor(readonly text: string) {}

  parse(): unknown {
    return JSON.parse(this.text)
  }
}

/** How deep a `JsonText` may be in a response: a call, its summary, `weave`, the list of feedback, one feedback. */
const maxDepth = 5

/** Serialises a response, which may have stored JSON in it. */
export function stringifyWithJsonText(value: unknown, depth = maxDepth): string {
  if (value instanceof JsonText) return value.text
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    if (!value.some(isObject)) return JSON.stringify(value)
    return `[${value.map((item: unknown) => stringifyWithJsonText(item ?? null, depth - 1)).join(',')}]`
  }
  const entries = Object.entries(value)
  // The rows of most responses: the engine's own serialiser is faster.
  if (!entries.some(([, item]) => isObject(item))) return JSON.stringify(value)
  let text = ''
  for (const [key, item] of entries) {
    if (item !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${stringifyWithJsonText(item, depth - 1)}`
  }
  return `{${text}}`
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
