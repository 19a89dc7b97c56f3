import { AttributeReader, isMap } from './attributes/attribute-reader'
import { choiceEvents, findPayloadKeys, messageLists, messageRoles, mimeTypeKeys, payloadEvents } from './conventions/conventions'
import type { Attributes, Json } from './attributes/attributes'
import { nestAttributes } from './attributes/nest-attributes'
import { type JsonTextBudget, parseJsonText } from './attributes/parse-json-text'
import type { Span, SpanEvent } from './trace-messages'
import { withoutKeys } from './attributes/without-keys'

export type Payloads = {
  inputs: { [key: string]: Json } | undefined
  output: { [key: string]: Json } | undefined
  /** The other attributes: payloads may be long, and are stored once. */
  otherAttributes: Attributes
}

/** Reads inputs and output of a span, each under the key it was sent with. Text that holds JSON is parsed. */
export function readPayloads(span: AttributeReader, events: Span['events']): Payloads {
  const inputsOfSpan = findPayload(span, 'inputs')
  const outputOfSpan = findPayload(span, 'output')
  const ofEvents = inputsOfSpan && outputOfSpan ? undefined : readPayloadEvents(events, span)
  const inputs = inputsOfSpan ?? (ofEvents && findPayload(ofEvents, 'inputs'))
  const output = outputOfSpan ?? (ofEvents && findPayload(ofEvents, 'output'))
  const list = inputs && output ? undefined : findMessageList(span)
  const messageEvents = list ? [...events, ...list.events] : events
  const usedKeys = [...(inputs?.keys ?? []), ...(output?.keys ?? []), ...(list ? [list.key] : [])]
  return {
    inputs: inputs?.value ?? readMessageEvents(messageEvents, span.textBudget),
    output: output?.value ?? readChoiceEvents(messageEvents, span.textBudget),
    otherAttributes: withoutKeys(span.attributes, usedKeys),
  }
}

type MessageEvent = Pick<SpanEvent, 'name' | 'attributes'>

/** The first attribute that holds messages as a list of events. */
function findMessageList(span: AttributeReader): { key: string; events: MessageEvent[] } | undefined {
  for (const key of messageLists) {
    const value = span.json(key)
    const items: readonly Json[] = Array.isArray(value) ? value : []
    const events = items.flatMap((item): MessageEvent[] => {
      if (!isMap(item)) return []
      const { 'event.name': name, ...attributes } = item
      const isMessage = typeof name === 'string' && (messageRoles.has(name) || choiceEvents.has(name))
      return isMessage ? [{ name, attributes: new Map(Object.entries(attributes)) }] : []
    })
    if (events.length > 0 && events.length === items.length) return { key, events }
  }
  return undefined
}

function readPayloadEvents(events: Span['events'], { textBudget }: AttributeReader): AttributeReader | undefined {
  const attributes = events.flatMap(({ name, attributes: own }) => (payloadEvents.has(name) ? [...own] : []))
  if (attributes.length === 0) return undefined
  return new AttributeReader(new Map(attributes), undefined, textBudget)
}

/** The first payload that the attributes have, and the keys that it was read from. */
export function findPayload(span: AttributeReader, side: 'inputs' | 'output') {
  for (const payload of findPayloadKeys[side](span)) {
    const entries: [string, Json][] = []
    const keys: string[] = []
    for (const key of 'choose' in payload ? payload.choose(span) : payload) {
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

function readMessageEvents(events: readonly MessageEvent[], budget: JsonTextBudget) {
  const messages = events.flatMap(({ name, attributes }) => {
    const role = messageRoles.get(name)
    return role === undefined ? [] : [{ role, ...readContent(attributes, budget) }]
  })
  return messages.length > 0 ? { messages } : undefined
}

function readChoiceEvents(events: readonly MessageEvent[], budget: JsonTextBudget) {
  const choices = events.flatMap(({ name, attributes }) => (choiceEvents.has(name) ? [readContent(attributes, budget)] : []))
  return choices.length > 0 ? { choices } : undefined
}

/** The content of a message that was sent as attributes. */
export function readContent(attributes: Attributes, budget: JsonTextBudget): { [key: string]: Json } {
  const toValue = (value: Json) => (typeof value === 'string' ? parseJsonText(value, budget) : value)
  const parsed = [...attributes].map(([key, value]) => [key, toValue(value)] as const)
  return nestAttributes(new Map(parsed))
}
