// The messages of opentelemetry-proto 1.x that carry spans: field numbers and JSON names of trace_service, trace, resource
// and common. https://github.com/open-telemetry/opentelemetry-proto
import type { Json } from './attributes/attributes'
import {
  attributesField,
  boolField,
  bytesField,
  defineMessage,
  defineOneof,
  doubleField,
  enumField,
  fixed32Field,
  idField,
  int64Field,
  listField,
  mapMessage,
  messageField,
  stringField,
  uint32Field,
  unixNanoField,
  type KeyValue,
  type MessageFields,
} from './message'

/** By number, without their prefix. */
export const spanKinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']
export const statusCodes = ['UNSET', 'OK', 'ERROR']

export const exportTraceServiceRequest = defineMessage('The body', { resourceSpans: [1, listField(() => resourceSpansMessage)] })

export const resourceSpansMessage = defineMessage('ResourceSpans', {
  resource: [1, messageField(() => resourceMessage)],
  scopeSpans: [2, listField(() => scopeSpansMessage)],
})

export const scopeSpansMessage = defineMessage('ScopeSpans', {
  scope: [1, messageField(() => scopeMessage)],
  spans: [2, listField(() => spanMessage)],
})

export const resourceMessage = defineMessage('A resource', { attributes: [1, attributesField(() => keyValueMessage)] })

export const scopeMessage = defineMessage('A scope', {
  name: [1, stringField],
  version: [2, stringField],
  attributes: [3, attributesField(() => keyValueMessage)],
})
export type Scope = ReturnType<typeof scopeMessage.toValue>

export const spanMessage = defineMessage('A span', {
  traceId: [1, idField],
  spanId: [2, idField],
  traceState: [3, stringField],
  parentSpanId: [4, idField],
  name: [5, stringField],
  kind: [6, enumField('SPAN_KIND_', spanKinds)],
  startTimeUnixNano: [7, unixNanoField],
  endTimeUnixNano: [8, unixNanoField],
  attributes: [9, attributesField(() => keyValueMessage)],
  droppedAttributesCount: [10, uint32Field],
  events: [11, listField(() => eventMessage)],
  droppedEventsCount: [12, uint32Field],
  links: [13, listField(() => linkMessage)],
  droppedLinksCount: [14, uint32Field],
  status: [15, messageField(() => statusMessage)],
  flags: [16, fixed32Field],
})
export type Span = ReturnType<typeof spanMessage.toValue>

const eventMessage = defineMessage('An event', {
  timeUnixNano: [1, unixNanoField],
  name: [2, stringField],
  attributes: [3, attributesField(() => keyValueMessage)],
})
export type SpanEvent = ReturnType<typeof eventMessage.toValue>

const linkMessage = defineMessage('A link', {
  traceId: [1, idField],
  spanId: [2, idField],
  traceState: [3, stringField],
  attributes: [4, attributesField(() => keyValueMessage)],
})

const statusMessage = defineMessage('A status', {
  message: [2, stringField],
  code: [3, enumField('STATUS_CODE_', statusCodes)],
})

export const keyValueMessage: MessageFields<KeyValue> = defineMessage('An attribute', {
  key: [1, stringField],
  value: [2, messageField(() => anyValueMessage)],
})

export const anyValueMessage: MessageFields<Json> = defineOneof('The value of an attribute', {
  stringValue: [1, stringField],
  boolValue: [2, boolField],
  intValue: [3, int64Field],
  doubleValue: [4, doubleField],
  arrayValue: [5, messageField(() => arrayValueMessage)],
  kvlistValue: [6, messageField(() => keyValueListMessage)],
  bytesValue: [7, bytesField],
})

// A oneof cannot hold repeated fields, so protobuf wraps them in messages.

const arrayValueMessage: MessageFields<Json> = mapMessage(
  defineMessage('An array', { values: [1, listField(() => anyValueMessage)] }),
  ({ values }) => values,
)

const keyValueListMessage: MessageFields<Json> = mapMessage(
  defineMessage('A kvlist', { values: [1, attributesField(() => keyValueMessage)] }),
  ({ values }) => Object.fromEntries(values),
)
