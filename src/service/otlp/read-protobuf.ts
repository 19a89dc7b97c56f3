import { asMalformed, Fields, MalformedProtobuf } from './fields'
import {
  type Attributes,
  emptyScope,
  emptySpan,
  type ExportRequest,
  type Json,
  jsonDouble,
  jsonInteger,
  mostSpans,
  RejectedSpan,
  type Scope,
  type Span,
  type SpanEvent,
  type SpanLink,
  TooManySpans,
  ValueBudget,
  type WaitingSpan,
} from './span'

// Field numbers of opentelemetry-proto 1.x: trace_service, trace, resource and common.
const requestField = { resourceSpans: 1 }
const resourceSpansField = { resource: 1, scopeSpans: 2 }
const scopeSpansField = { scope: 1, spans: 2 }
const resourceField = { attributes: 1 }
const scopeField = { name: 1, version: 2, attributes: 3 }
const spanField = {
  traceId: 1,
  spanId: 2,
  traceState: 3,
  parentSpanId: 4,
  name: 5,
  kind: 6,
  startTimeUnixNano: 7,
  endTimeUnixNano: 8,
  attributes: 9,
  droppedAttributesCount: 10,
  events: 11,
  droppedEventsCount: 12,
  links: 13,
  droppedLinksCount: 14,
  status: 15,
  flags: 16,
}
const eventField = { timeUnixNano: 1, name: 2, attributes: 3 }
const linkField = { traceId: 1, spanId: 2, traceState: 3, attributes: 4 }
const statusField = { message: 2, code: 3 }
const keyValueField = { key: 1, value: 2 }
const valueField = { text: 1, boolean: 2, integer: 3, double: 4, list: 5, object: 6, bytes: 7 }
const listField = { values: 1 }

/** Groups cost little more than two bytes and may hold nothing. */
const mostGroups = 100_000

/**
 * An ExportTraceServiceRequest. The outer messages are walked once to judge and count them, and again as the spans are
 * asked for, so that a million tiny spans cost no memory. Throws a `MalformedProtobuf` or `TooManySpans`.
 */
export function readProtobuf(body: Uint8Array): ExportRequest {
  return { spanCount: asMalformed(() => spanCountIn(body)), spans: () => spansIn(body) }
}

function spanCountIn(body: Uint8Array): number {
  let groupCount = 0
  let spanCount = 0
  for (const resourceSpans of messagesIn(body, requestField.resourceSpans)) {
    readResource(resourceSpans)
    groupCount += 1
    for (const scopeSpans of messagesIn(resourceSpans, resourceSpansField.scopeSpans)) {
      readScope(scopeSpans)
      groupCount += 1
      for (const _ of messagesIn(scopeSpans, scopeSpansField.spans)) {
        spanCount += 1
        if (spanCount > mostSpans) throw new TooManySpans()
      }
    }
    if (groupCount > mostGroups) throw new TooManySpans()
  }
  return spanCount
}

function* spansIn(body: Uint8Array): Generator<WaitingSpan> {
  let resourceIndex = 0
  for (const resourceSpans of messagesIn(body, requestField.resourceSpans)) {
    const resource = readResource(resourceSpans)
    let scopeIndex = 0
    for (const scopeSpans of messagesIn(resourceSpans, resourceSpansField.scopeSpans)) {
      const scope = readScope(scopeSpans)
      let spanIndex = 0
      for (const span of messagesIn(scopeSpans, scopeSpansField.spans)) {
        const place = `resource_spans[${resourceIndex}].scope_spans[${scopeIndex}].spans[${spanIndex}]`
        yield { resource, scope, place, read: () => readWaiting(span) }
        spanIndex += 1
      }
      scopeIndex += 1
    }
    resourceIndex += 1
  }
}

function* messagesIn(bytes: Uint8Array, number: number): Generator<Uint8Array> {
  const fields = new Fields(bytes)
  while (fields.next()) if (fields.number === number) yield fields.bytes()
}

function firstMessageIn(bytes: Uint8Array, number: number): Uint8Array {
  for (const message of messagesIn(bytes, number)) return message
  return new Uint8Array()
}

/** What spans share cannot be refused with one of them. */
function shared<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RejectedSpan) throw new MalformedProtobuf(`too much: ${error.message}`)
    throw error
  }
}

function readWaiting(bytes: Uint8Array): Span {
  try {
    requireText(bytes)
    return asMalformed(() => readSpan(bytes))
  } catch (error) {
    if (error instanceof MalformedProtobuf) throw new RejectedSpan(`The span cannot be read: it is ${error.message}.`)
    throw error
  }
}

const mostControlCharacters = 1024 * 1024

/** A control character is printed as six, and seven where that is printed again: a few would grow to fill the memory. */
function requireText(bytes: Uint8Array): void {
  if (bytes.length <= mostControlCharacters) return
  let count = 0
  for (const byte of bytes) if (byte < 0x20) count += 1
  if (count > mostControlCharacters) {
    throw new RejectedSpan('A span may hold 1,048,576 control characters. Send bytes as bytes, not as text.')
  }
}

function readSpan(bytes: Uint8Array): Span {
  const span = emptySpan()
  const budget = new ValueBudget()
  const attributes = new Map<string, Json>()
  const fields = new Fields(bytes)
  while (fields.next()) {
    switch (fields.number) {
      case spanField.traceId:
        span.traceId = fields.hex()
        break
      case spanField.spanId:
        span.spanId = fields.hex()
        break
      case spanField.traceState:
        span.traceState = fields.text()
        break
      case spanField.parentSpanId:
        span.parentSpanId = fields.hex()
        break
      case spanField.name:
        span.name = fields.text()
        break
      case spanField.kind:
        span.kind = fields.uint32()
        break
      case spanField.startTimeUnixNano:
        span.startNano = fields.fixed64()
        break
      case spanField.endTimeUnixNano:
        span.endNano = fields.fixed64()
        break
      case spanField.attributes:
        addAttribute(attributes, fields.bytes(), budget, 0)
        break
      case spanField.droppedAttributesCount:
        span.droppedAttributesCount = fields.uint32()
        break
      case spanField.events:
        span.events.push(readEvent(fields.bytes(), budget))
        break
      case spanField.droppedEventsCount:
        span.droppedEventsCount = fields.uint32()
        break
      case spanField.links:
        span.links.push(readLink(fields.bytes(), budget))
        break
      case spanField.droppedLinksCount:
        span.droppedLinksCount = fields.uint32()
        break
      case spanField.status:
        span.status = readStatus(fields.bytes())
        break
      case spanField.flags:
        span.flags = fields.fixed32()
        break
    }
  }
  span.attributes = attributes
  return span
}

function readEvent(bytes: Uint8Array, budget: ValueBudget): SpanEvent {
  budget.take()
  const event = { timeNano: 0n, name: '', attributes: attributesIn(bytes, eventField.attributes, budget) }
  const fields = new Fields(bytes)
  while (fields.next()) {
    if (fields.number === eventField.timeUnixNano) event.timeNano = fields.fixed64()
    else if (fields.number === eventField.name) event.name = fields.text()
  }
  return event
}

function readLink(bytes: Uint8Array, budget: ValueBudget): SpanLink {
  budget.take()
  const link = { traceId: '', spanId: '', traceState: '', attributes: attributesIn(bytes, linkField.attributes, budget) }
  const fields = new Fields(bytes)
  while (fields.next()) {
    if (fields.number === linkField.traceId) link.traceId = fields.hex()
    else if (fields.number === linkField.spanId) link.spanId = fields.hex()
    else if (fields.number === linkField.traceState) link.traceState = fields.text()
  }
  return link
}

function readStatus(bytes: Uint8Array): Span['status'] {
  const status = { code: 0, message: '' }
  const fields = new Fields(bytes)
  while (fields.next()) {
    if (fields.number === statusField.message) status.message = fields.text()
    else if (fields.number === statusField.code) status.code = fields.uint32()
  }
  return status
}

function readResource(resourceSpans: Uint8Array): Attributes {
  return shared(() =>
    attributesIn(firstMessageIn(resourceSpans, resourceSpansField.resource), resourceField.attributes, new ValueBudget()),
  )
}

function readScope(scopeSpans: Uint8Array): Scope {
  const bytes = firstMessageIn(scopeSpans, scopeSpansField.scope)
  if (bytes.length === 0) return emptyScope
  const attributes = shared(() => attributesIn(bytes, scopeField.attributes, new ValueBudget()))
  const scope = { name: '', version: '', attributes }
  const fields = new Fields(bytes)
  while (fields.next()) {
    if (fields.number === scopeField.name) scope.name = fields.text()
    else if (fields.number === scopeField.version) scope.version = fields.text()
  }
  return scope
}

function attributesIn(bytes: Uint8Array, number: number, budget: ValueBudget): Attributes {
  const attributes = new Map<string, Json>()
  for (const keyValue of messagesIn(bytes, number)) addAttribute(attributes, keyValue, budget, 0)
  return attributes
}

function addAttribute(attributes: Map<string, Json>, bytes: Uint8Array, budget: ValueBudget, depth: number): void {
  budget.take(depth)
  let key = ''
  let value: Json = null
  const fields = new Fields(bytes)
  while (fields.next()) {
    if (fields.number === keyValueField.key) key = fields.text()
    else if (fields.number === keyValueField.value) value = readValue(fields.bytes(), budget, depth)
  }
  attributes.set(key, value)
}

function readValue(bytes: Uint8Array, budget: ValueBudget, depth: number): Json {
  let value: Json = null
  const fields = new Fields(bytes)
  while (fields.next()) {
    switch (fields.number) {
      case valueField.text:
        value = fields.text()
        break
      case valueField.boolean:
        value = fields.boolean()
        break
      case valueField.integer:
        value = jsonInteger(fields.int64())
        break
      case valueField.double:
        value = jsonDouble(fields.double())
        break
      case valueField.list:
        value = []
        for (const each of messagesIn(fields.bytes(), listField.values)) {
          budget.take(depth + 1)
          value.push(readValue(each, budget, depth + 1))
        }
        break
      case valueField.object: {
        const entries = new Map<string, Json>()
        for (const each of messagesIn(fields.bytes(), listField.values)) addAttribute(entries, each, budget, depth + 1)
        value = Object.fromEntries(entries)
        break
      }
      case valueField.bytes:
        value = fields.base64()
        break
    }
  }
  return value
}
