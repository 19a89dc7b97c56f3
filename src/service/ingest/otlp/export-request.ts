import type { Encoding } from './encoding'
import { InvalidOtlpError } from './invalid-otlp-error'
import type { Attributes } from './attributes/attributes'
import { emptyValue, type MessageFields } from './message'
import {
  exportTraceServiceRequest,
  resourceMessage,
  resourceSpansMessage,
  type Scope,
  scopeMessage,
  scopeSpansMessage,
  type Span,
  spanMessage,
} from './trace-messages'

/** A span that is not decoded yet, with what it shares with its neighbours. `decode` throws an `InvalidOtlpError`. */
export type PendingSpan = { resource: Attributes; scope: Scope; place: string; decode: () => Span }

/** A request whose frame is valid: `spans` walks through all of it. */
export type ExportRequest = { spanCount: number; spans: () => Iterable<PendingSpan> }

/** The frame of a request, which is all but its spans, is not valid. */
export class InvalidFrameError extends Error {
  override readonly name = 'InvalidFrameError'

  constructor(
    readonly loc: readonly string[],
    cause: InvalidOtlpError,
  ) {
    super(cause.message, { cause })
  }
}

export class TooManySpansError extends Error {
  override readonly name = 'TooManySpansError'
}

/** Exporters send some hundreds at once, collectors some thousands. */
export const maxSpans = 100_000
/** Groups are ResourceSpans and ScopeSpans. An empty one takes two bytes, and its place in a list of groups many more. */
const maxGroups = 100_000

/**
 * Validates the frame of an ExportTraceServiceRequest. It is walked twice, now and for the spans, so that no list of spans
 * is held in memory. Throws an `InvalidFrameError` or a `TooManySpansError`.
 */
export function readExportRequest<Encoded>(body: Encoded, encoding: Encoding<Encoded>): ExportRequest {
  let spanCount = 0
  for (const _ of encodedSpansIn(body, encoding)) {
    spanCount += 1
    if (spanCount > maxSpans) throw new TooManySpansError()
  }
  return { spanCount, spans: () => spansIn(body, encoding) }
}

function* spansIn<Encoded>(body: Encoded, encoding: Encoding<Encoded>): Generator<PendingSpan> {
  for (const { encoded, group, index } of encodedSpansIn(body, encoding)) {
    yield {
      resource: group.resource,
      scope: group.scope,
      place: `resource_spans[${group.resourceIndex}].scope_spans[${group.scopeIndex}].spans[${index}]`,
      decode: () => encoding.decode(encoded, spanMessage),
    }
  }
}

function* encodedSpansIn<Encoded>(body: Encoded, encoding: Encoding<Encoded>) {
  let groupCount = 0
  const countGroup = () => {
    groupCount += 1
    if (groupCount > maxGroups) throw new TooManySpansError()
  }
  /** Where the walk is, for the error below. */
  let loc: readonly string[] = ['body']
  const decodeFirst = <Value>(messages: Iterable<Encoded>, message: MessageFields<Value>, field: string): Value => {
    const ownerLoc = loc
    for (const encoded of messages) {
      loc = [...ownerLoc, field]
      const value = encoding.decode(encoded, message)
      loc = ownerLoc
      return value
    }
    return emptyValue(message)
  }
  try {
    let resourceIndex = 0
    for (const resourceGroup of encoding.messagesIn(body, exportTraceServiceRequest, 'resourceSpans')) {
      countGroup()
      const resourceLoc = ['body', 'resourceSpans', String(resourceIndex)]
      loc = resourceLoc
      const resource = decodeFirst(
        encoding.messagesIn(resourceGroup, resourceSpansMessage, 'resource'),
        resourceMessage,
        'resource',
      )
      let scopeIndex = 0
      for (const scopeGroup of encoding.messagesIn(resourceGroup, resourceSpansMessage, 'scopeSpans')) {
        countGroup()
        loc = [...resourceLoc, 'scopeSpans', String(scopeIndex)]
        const scope = decodeFirst(encoding.messagesIn(scopeGroup, scopeSpansMessage, 'scope'), scopeMessage, 'scope')
        const group = { resource: resource.attributes, scope, resourceIndex, scopeIndex }
        let index = 0
        for (const encoded of encoding.messagesIn(scopeGroup, scopeSpansMessage, 'spans')) {
          yield { encoded, group, index }
          index += 1
        }
        loc = resourceLoc
        scopeIndex += 1
      }
      loc = ['body']
      resourceIndex += 1
    }
  } catch (error) {
    if (!(error instanceof InvalidOtlpError)) throw error
    throw new InvalidFrameError(error.fieldName === undefined ? loc : [...loc, error.fieldName], error)
  }
}
