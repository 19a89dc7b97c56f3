import { AttributeReader, isMap } from './attributes/attribute-reader'
import { choiceEvents, messageRoles, mimeTypeKeys, payloadEvents, payloadKeys } from './conventions/conventions'
import type { Attributes, Json } from './attributes/attributes'
import { nestAttributes } from './attributes/nest-attributes'
import { parseJsonText } from './attributes/parse-json-text'
import type { Span } from './trace-messages'
import { withoutKeys } from './attributes/without-keys'

export type Payloads = {
  inputs: { [key: string]: Json } | undefined
  output: { [key: string]: Json } | undefined
  /** The other attributes: payloads may be long, and are stored once. */
  otherAttributes: Attributes
}

/** Reads inputs and output of a span, each under the key it was sent with. Text that holds JSON is parsed. */
export function readPayloads(span: AttributeReader, events: Span['events']): Payloads {
  const ofEvents = readPayloadEvents(events)
  const inputs = findPayload(span, 'inputs') ?? findPayload(ofEvents, 'inputs')
  const output = findPayload(span, 'output') ?? findPayload(ofEvents, 'output')
  return {
    inputs: inputs?.value ?? readMessageEvents(events),
    output: output?.value ?? readChoiceEvents(events),
    otherAttributes: withoutKeys(span.attributes, [...(inputs?.keys ?? []), ...(output?.keys ?? [])]),
  }
}

function readPayloadEvents(events: Span['events']): AttributeReader {
  return new AttributeReader(new Map(events.flatMap(({ name, attributes }) => (payloadEvents.has(name) ? [...attributes] : []))))
}

function findPayload(span: AttributeReader, side: 'inputs' | 'output') {
  for (const payload of payloadKeys[side]) {
    const entries: [string, Json][] = []
    const keys: string[] = []
    for (const key of typeof payload === 'function' ? payload(span) : payload) {
      const value = readValue(span, key)
      const listKeys = value === undefined ? findListKeys(span.attributes, `${key}.`) : []
      if (value !== undefined) {
        entries.push([key, value])
        keys.push(key)
      } else if (listKeys.length > 0) {
        entries.push([key, readList(span.attributes, key, listKeys)])
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

function readValue(span: AttributeReader, key: string): Json | undefined {
  const mimeTypeKey = mimeTypeKeys.get(key)
  const isPlainText = mimeTypeKey !== undefined && span.get(mimeTypeKey) === 'text/plain'
  const value = isPlainText ? span.get(key) : span.json(key)
  // A map numbers the items of a list as attributes do.
  return isMap(value) ? nestAttributes(new Map([['map', value]]))['map'] : value
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
