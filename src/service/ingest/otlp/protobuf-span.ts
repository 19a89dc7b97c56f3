import { Fields } from './fields'
import { addAttribute, attributesIn } from './protobuf-values'
import { emptySpan, type Json, type Span, type SpanEvent, type SpanLink, ValueBudget } from './span'

// Field numbers of opentelemetry-proto 1.x: trace.
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

/** A Span. Throws a `RejectedSpan` where it holds too much, a `MalformedProtobuf` where it is none. */
export function readSpan(bytes: Uint8Array): Span {
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
