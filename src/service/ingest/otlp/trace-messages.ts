// The messages of opentelemetry-proto 1.x that carry spans: field numbers and JSON names of trace_service, trace, resource
// and common. https://github.com/open-telemetry/opentelemetry-proto
import {
  attributeMap,
  bool,
  bytes,
  defineMessage,
  defineOneof,
  double,
  enumeration,
  fixedUint32,
  id,
  int64,
  type Json,
  type KeyValue,
  list,
  mapMessage,
  type Message,
  one,
  string,
  uint32,
  unixNano,
} from './message'

/** By number, without their prefix. */
export const spanKinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']
export const statusCodes = ['UNSET', 'OK', 'ERROR']

export const exportTraceServiceRequest = defineMessage('The body', { resourceSpans: [1, list(() => resourceSpans)] })

export const resourceSpans = defineMessage('ResourceSpans', {
  resource: [1, one(() => resource)],
  scopeSpans: [2, list(() => scopeSpans)],
})

export const scopeSpans = defineMessage('ScopeSpans', { scope: [1, one(() => scope)], spans: [2, list(() => span)] })

export const resource = defineMessage('A resource', { attributes: [1, attributeMap(() => keyValue)] })

export const scope = defineMessage('A scope', {
  name: [1, string],
  version: [2, string],
  attributes: [3, attributeMap(() => keyValue)],
})
export type Scope = ReturnType<typeof scope.toValue>

export const span = defineMessage('A span', {
  traceId: [1, id],
  spanId: [2, id],
  traceState: [3, string],
  parentSpanId: [4, id],
  name: [5, string],
  kind: [6, enumeration('SPAN_KIND_', spanKinds)],
  startTimeUnixNano: [7, unixNano],
  endTimeUnixNano: [8, unixNano],
  attributes: [9, attributeMap(() => keyValue)],
  droppedAttributesCount: [10, uint32],
  events: [11, list(() => event)],
  droppedEventsCount: [12, uint32],
  links: [13, list(() => link)],
  droppedLinksCount: [14, uint32],
  status: [15, one(() => status)],
  flags: [16, fixedUint32],
})
export type Span = ReturnType<typeof span.toValue>

const event = defineMessage('An event', {
  timeUnixNano: [1, unixNano],
  name: [2, string],
  attributes: [3, attributeMap(() => keyValue)],
})
export type SpanEvent = ReturnType<typeof event.toValue>

const link = defineMessage('A link', {
  traceId: [1, id],
  spanId: [2, id],
  traceState: [3, string],
  attributes: [4, attributeMap(() => keyValue)],
})

const status = defineMessage('A status', {
  message: [2, string],
  code: [3, enumeration('STATUS_CODE_', statusCodes)],
})

const keyValue: Message<KeyValue> = defineMessage('An attribute', { key: [1, string], value: [2, one(() => anyValue)] })

const anyValue: Message<Json> = defineOneof('The value of an attribute', {
  stringValue: [1, string],
  boolValue: [2, bool],
  intValue: [3, int64],
  doubleValue: [4, double],
  arrayValue: [5, one(() => arrayValue)],
  kvlistValue: [6, one(() => keyValueList)],
  bytesValue: [7, bytes],
})

// A oneof cannot hold repeated fields, so protobuf wraps them in messages.

const arrayValue: Message<Json> = mapMessage(
  defineMessage('An array', { values: [1, list(() => anyValue)] }),
  ({ values }) => values,
)

const keyValueList: Message<Json> = mapMessage(
  defineMessage('A kvlist', { values: [1, attributeMap(() => keyValue)] }),
  ({ values }) => Object.fromEntries(values),
)
