import { choiceEvents, messageRoles, mimeTypeKeys, payloadEvents, payloadKeys } from './conventions/conventions'
import type { Attributes, Json } from './message'
import { nestAttributes } from './nest-attributes'
import type { Span } from './trace-messages'

export type Payloads = {
  inputs: { [key: string]: Json } | undefined
  output: { [key: string]: Json } | undefined
  /** The other attributes: payloads may be long, and are stored once. */
  otherAttributes: Attributes
}

/** Reads inputs and output of a span, each under the key it was sent with. Text that holds JSON is parsed. */
export function readPayloads({ attributes, events }: Pick<Span, 'attributes' | 'events'>): Payloads {
  const ofEvents = new Map<string, Json>()
  for (const event of events) {
    if (payloadEvents.has(event.name)) for (const [key, value] of event.attributes) ofEvents.set(key, value)
  }
  const inputs = findPayload(attributes, 'inputs') ?? findPayload(ofEvents, 'inputs')
  const output = findPayload(attributes, 'output') ?? findPayload(ofEvents, 'output')
  const readKeys = new Set([...(inputs?.keys ?? []), ...(output?.keys ?? [])])
  return {
    inputs: inputs?.value ?? readMessageEvents(events),
    output: output?.value ?? readChoiceEvents(events),
    otherAttributes: new Map([...attributes].filter(([key]) => !readKeys.has(key))),
  }
}

function findPayload(attributes: Attributes, side: 'inputs' | 'output') {
  for (const payload of payloadKeys[side]) {
    const entries: [string, Json][] = []
    const keys: string[] = []
    for (const key of payload) {
      const listKeys = attributes.has(key) ? [] : findListKeys(attributes, `${key}.`)
      if (attributes.has(key)) {
        entries.push([key, readValue(attributes, key)])
        keys.push(key)
      } else if (listKeys.length > 0) {
        entries.push([key, readList(attributes, key, listKeys)])
        for (const each of listKeys) keys.push(each)
      }
    }
    if (entries.length > 0) return { keys, value: Object.fromEntries(entries) }
  }
  return undefined
}

/** Conventions without lists number the items: `<key>.0.role`, `<key>.0.content`, `<key>.1.role` ... */
function findListKeys(attributes: Attributes, prefix: string): string[] {
  return [...attributes.keys()].filter((key) => key.startsWith(prefix) && /^\d/.test(key.slice(prefix.length)))
}

function readList(attributes: Attributes, key: string, listKeys: readonly string[]): Json {
  const items = new Map(listKeys.map((each) => [`list.${each.slice(key.length + 1)}`, attributes.get(each) ?? null]))
  return nestAttributes(items)['list'] ?? null
}

function readValue(attributes: Attributes, key: string): Json {
  const value = attributes.get(key) ?? null
  const mimeTypeKey = mimeTypeKeys.get(key)
  const isPlainText = mimeTypeKey !== undefined && attributes.get(mimeTypeKey) === 'text/plain'
  return typeof value === 'string' && !isPlainText ? parseJsonText(value) : value
}

const maxTextDepth = 100

/** The object or list that a text holds; any other text, and one that parsing would change, stays text. */
function parseJsonText(text: string): Json {
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

function readMessageEvents(events: Span['events']) {
  const messages = events.flatMap(({ name, attributes }) => {
    const role = messageRoles.get(name)
    return role === undefined ? [] : [{ role, ...readContent(attributes) }]
  })
  return messages.length > 0 ? { messages } : undefined
}

function readChoiceEvents(events: Span['events']) {
  const choices = events.flatMap(({ name, attributes }) => (choiceEvents.has(name) ? [readContent(attributes)] : []))
  return choices.length > 0 ? { choices } : undefined
}

function readContent(attributes: Attributes): { [key: string]: Json } {
  const parsed = [...attributes].map(([key, value]) => [key, typeof value === 'string' ? parseJsonText(value) : value] as const)
  return nestAttributes(new Map(parsed))
}
