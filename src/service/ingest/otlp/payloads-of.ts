import { payloads } from './conventions/families'
import { nested } from './nested'
import type { Attributes, Json, Span } from './span'

export type Payloads = {
  inputs: { [key: string]: Json } | undefined
  output: { [key: string]: Json } | undefined
  /** What is left of the attributes: texts may be long, and are kept once. */
  rest: Attributes
}

/** Events whose attributes stand in for those of the span. */
const carryingEvents = new Set([
  'gen_ai.content.prompt',
  'gen_ai.content.completion',
  'gen_ai.client.inference.operation.details',
])
/** Events that each are one message: by OpenTelemetry's conventions of 2024. */
const messageEvent = /^gen_ai\.(system|user|assistant|tool)\.message$/
const choiceEvent = 'gen_ai.choice'

/** What went in and what came out, each under the key it was sent with, texts that are JSON parsed. */
export function payloadsOf({ attributes, events }: Pick<Span, 'attributes' | 'events'>): Payloads {
  const carried = new Map<string, Json>()
  for (const event of events) {
    if (carryingEvents.has(event.name)) for (const [key, value] of event.attributes) carried.set(key, value)
  }
  const inputs = payloadOf(attributes, 'inputs') ?? payloadOf(carried, 'inputs')
  const output = payloadOf(attributes, 'output') ?? payloadOf(carried, 'output')
  const taken = new Set([...(inputs?.keys ?? []), ...(output?.keys ?? [])])
  return {
    inputs: inputs?.value ?? messagesOf(events),
    output: output?.value ?? choicesOf(events),
    rest: new Map([...attributes].filter(([key]) => !taken.has(key))),
  }
}

function payloadOf(attributes: Attributes, side: 'inputs' | 'output') {
  for (const payload of payloads[side]) {
    const entries: [string, Json][] = []
    const keys: string[] = []
    for (const key of payload) {
      if (attributes.has(key)) {
        entries.push([key, valueOf(attributes, key)])
        keys.push(key)
      } else {
        const below = keysBelow(attributes, `${key}.`)
        if (below.length > 0) entries.push([key, listOf(attributes, key, below)])
        for (const each of below) keys.push(each)
      }
    }
    if (entries.length > 0) return { keys, value: Object.fromEntries(entries) }
  }
  return undefined
}

/** Conventions that cannot hold lists count them out: `<key>.0.role`, `<key>.0.content`, `<key>.1.role` … */
function keysBelow(attributes: Attributes, prefix: string): string[] {
  const below: string[] = []
  for (const key of attributes.keys()) if (key.startsWith(prefix) && /^\d/.test(key.slice(prefix.length))) below.push(key)
  return below
}

function listOf(attributes: Attributes, key: string, below: readonly string[]): Json {
  const own = new Map(below.map((each) => [`list.${each.slice(key.length + 1)}`, attributes.get(each) ?? null]))
  return nested(own)['list'] ?? null
}

function valueOf(attributes: Attributes, key: string): Json {
  const value = attributes.get(key) ?? null
  const mediaType = attributes.get(key.replace(/value$/, 'mime_type'))
  return typeof value === 'string' && mediaType !== 'text/plain' ? parsedText(value) : value
}

const deepestText = 100

/** An object or list that was sent as text; any other text, and one that would not survive, stays as it is. */
export function parsedText(text: string): Json {
  // A whole number of more than 15 digits would come out another.
  if (!/^\s*[[{]/.test(text) || /[[:,]\s*-?\d{16}/.test(text) || isNestedDeeper(text, deepestText)) return text
  try {
    const parsed: Json = JSON.parse(text)
    return parsed
  } catch {
    return text
  }
}

/** Whether brackets open deeper than that; those inside strings count too, which does no harm. */
function isNestedDeeper(text: string, limit: number): boolean {
  let depth = 0
  for (let index = 0; index < text.length && depth <= limit; index += 1) {
    const character = text[index]
    if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
  }
  return depth > limit
}

function messagesOf(events: Span['events']) {
  const messages = events.flatMap(({ name, attributes }) => {
    const role = messageEvent.exec(name)?.[1]
    return role === undefined ? [] : [{ role, ...contentOf(attributes) }]
  })
  return messages.length > 0 ? { messages } : undefined
}

function choicesOf(events: Span['events']) {
  const choices = events.flatMap(({ name, attributes }) => (name === choiceEvent ? [contentOf(attributes)] : []))
  return choices.length > 0 ? { choices } : undefined
}

function contentOf(attributes: Attributes): { [key: string]: Json } {
  return nested(new Map([...attributes].map(([key, value]) => [key, typeof value === 'string' ? parsedText(value) : value])))
}
