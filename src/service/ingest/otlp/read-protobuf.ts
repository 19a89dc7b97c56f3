import { asMalformed, Fields, MalformedProtobuf } from './fields'
import { readSpan } from './protobuf-span'
import { attributesIn, messagesIn } from './protobuf-values'
import {
  type Attributes,
  emptyScope,
  type ExportRequest,
  mostSpans,
  RejectedSpan,
  type Scope,
  type Span,
  TooManySpans,
  ValueBudget,
  type WaitingSpan,
} from './span'

// Field numbers of opentelemetry-proto 1.x: trace_service, trace and resource.
const requestField = { resourceSpans: 1 }
const resourceSpansField = { resource: 1, scopeSpans: 2 }
const scopeSpansField = { scope: 1, spans: 2 }
const resourceField = { attributes: 1 }
const scopeField = { name: 1, version: 2, attributes: 3 }
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
