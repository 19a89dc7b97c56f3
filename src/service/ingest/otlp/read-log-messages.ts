import { AttributeReader, isMap } from './attributes/attribute-reader'
import type { Json } from './attributes/attributes'
import { createJsonTextBudget, parseJsonText } from './attributes/parse-json-text'
import { choiceEvents, messageRoles, payloadEvents } from './conventions/conventions'
import type { LogRecord } from './log-messages'
import { findPayload, readContent } from './read-payloads'

/** A part of a span's inputs or output. `isWhole`: all of it, not one message of several. */
export type LogMessage = { side: 'inputs' | 'output'; isWhole: boolean; value: Json }

/**
 * The messages that a log record tells of: an event of the GenAI conventions, named by its field or by an attribute.
 * Undefined for any other record.
 */
export function readLogMessages(record: LogRecord): LogMessage[] | undefined {
  const attributes = new AttributeReader(record.attributes)
  const name = record.eventName || attributes.text('event.name') || ''
  if (payloadEvents.has(name)) return readWholePayloads(attributes, record.body)
  const role = messageRoles.get(name)
  if (role !== undefined) return [{ side: 'inputs', isWhole: false, value: { role, ...toContent(record) } }]
  return choiceEvents.has(name) ? [{ side: 'output', isWhole: false, value: toContent(record) }] : undefined
}

/** Some clients put what belongs in the attributes into the body. */
function readWholePayloads(attributes: AttributeReader, body: Json | undefined): LogMessage[] {
  const ofBody = new AttributeReader(new Map(isMap(body) ? Object.entries(body) : []))
  return (['inputs', 'output'] as const).flatMap((side) => {
    const payload = findPayload(attributes, side) ?? findPayload(ofBody, side)
    return payload ? [{ side, isWhole: true, value: payload.value }] : []
  })
}

const notContent = new Set(['event.name', 'gen_ai.system', 'gen_ai.provider.name'])

/** The content is the body, or the attributes, as it is in events of spans. */
function toContent({ body, attributes }: LogRecord): { [name: string]: Json } {
  const content = typeof body === 'string' ? parseJsonText(body) : body
  if (isMap(content)) return content
  if (content !== undefined && content !== null) return { content }
  return readContent(new Map([...attributes].filter(([key]) => !notContent.has(key))), createJsonTextBudget())
}
