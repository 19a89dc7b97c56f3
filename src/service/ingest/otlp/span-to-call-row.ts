import { formatInstant, isStorable } from '../../../contract/instant'
import {
  maxDisplayNameLength,
  maxExceptionLength,
  maxModelNameLength,
  maxOpNameLength,
  maxProviderLength,
  maxThreadIdLength,
} from '../../../contract/limits'
import { formatLimit, isLongerThan } from '../../../contract/schema'
import type { CallRow } from '../call-row'
import { AttributeReader } from './attributes/attribute-reader'
import { readDisplayName, readError, readHeading } from './conventions/conventions'
import { InvalidOtlpError } from './invalid-otlp-error'
import type { Attributes, Json } from './attributes/attributes'
import { nestAttributes } from './attributes/nest-attributes'
import { readPayloads } from './read-payloads'
import { readParentCall } from './read-parent-call'
import { readSpanAttributes } from './read-span-attributes'
import { readSpanThread } from './read-span-thread'
import { readSpanUsage } from './read-span-usage'
import { type Scope, type Span, type SpanEvent, spanKinds, statusCodes } from './trace-messages'
import { validateId } from './validate-id'

/**
 * A span as a complete call. What has no column goes to `attributes.otel_span`, where W&B Weave keeps it, and what the
 * conventions tell of it stands beside it, under Weave's names. Throws an `InvalidOtlpError`.
 */
export function spanToCallRow(span: Span, resource: { [key: string]: Json }, scope: Scope, projectId: string): CallRow {
  const id = validateId(span.spanId, 'span_id', 16)
  const traceId = validateId(span.traceId, 'trace_id', 32)
  const spanAbove = /^0*$/.test(span.parentSpanId) ? undefined : validateId(span.parentSpanId, 'parent_span_id', 16)
  const reader = new AttributeReader(span.attributes, scope)
  const { inputs, output, otherAttributes } = readPayloads(reader, span.events)
  const thread = readSpanThread(reader)
  const parentCall = readParentCall(reader)
  const parentId = spanAbove ?? parentCall?.id
  const usage = readSpanUsage(reader)
  const sentName = reader.get('wandb.display_name')
  const displayName = typeof sentName === 'string' ? sentName : toDisplayName(readDisplayName(reader), span.name)
  const exception = readException(span, readError(reader))
  requireMaxLength(span.name, maxOpNameLength, 'The name of a span')
  requireMaxLength(displayName, maxDisplayNameLength, "'wandb.display_name'")
  requireMaxLength(thread?.threadId, maxThreadIdLength, 'The id of a thread, conversation or session')
  requireMaxLength(readHeading(reader, 'model'), maxModelNameLength, 'The name of a model')
  requireMaxLength(readHeading(reader, 'provider'), maxProviderLength, 'The name of a provider')
  requireMaxLength(exception, maxExceptionLength, 'The message of an error')
  return {
    project_id: projectId,
    id,
    trace_id: parentCall?.traceId ?? traceId,
    parent_id: parentId === id ? undefined : parentId,
    thread_id: thread?.threadId,
    turn_id: thread?.isTurn ? id : undefined,
    is_span: true,
    is_conversation: thread?.isConversation,
    op_name: span.name,
    display_name: displayName,
    exception,
    started_at: toInstant(span.startTimeUnixNano, 'start_time_unix_nano'),
    ended_at: span.endTimeUnixNano === 0n ? undefined : toInstant(span.endTimeUnixNano, 'end_time_unix_nano'),
    attributes: {
      ...readSpanAttributes(reader),
      otel_span: toOtelSpan(span, otherAttributes, resource, scope),
    },
    inputs,
    output,
    summary: usage && { usage },
  }
}

function toOtelSpan(span: Span, attributes: Attributes, resource: { [key: string]: Json }, scope: Scope) {
  const { code = 0, message = '' } = span.status ?? {}
  return {
    kind: spanKinds[span.kind] ?? span.kind,
    status: { code: statusCodes[code] ?? code, ...withoutDefaults({ message }) },
    attributes: nestAttributes(attributes),
    events: span.events.map(toEvent),
    links: span.links.map((link) => ({
      trace_id: link.traceId,
      span_id: link.spanId,
      ...withoutDefaults({ trace_state: link.traceState }),
      attributes: nestAttributes(link.attributes),
    })),
    resource: { attributes: resource },
    scope: { name: scope.name, version: scope.version, attributes: nestAttributes(scope.attributes) },
    ...withoutDefaults({
      trace_state: span.traceState,
      flags: span.flags,
      dropped_attributes_count: span.droppedAttributesCount,
      dropped_events_count: span.droppedEventsCount,
      dropped_links_count: span.droppedLinksCount,
    }),
  }
}

/** A message has no limit where it comes from, so it is cut. */
function toDisplayName(message: string | undefined, spanName: string): string | undefined {
  if (message === undefined || message === spanName) return undefined
  return isLongerThan(message, maxDisplayNameLength) ? Array.from(message).slice(0, maxDisplayNameLength).join('') : message
}

function requireMaxLength(text: string | undefined, max: number, name: string): void {
  if (text === undefined || !isLongerThan(text, max)) return
  throw new InvalidOtlpError(`${name} is too long: at most ${formatLimit(max)} characters.`)
}

/** Rounded down to microseconds, which is what the store keeps. */
function toInstant(nanoseconds: bigint, name: string): string {
  const microseconds = nanoseconds / 1000n
  if (isStorable(microseconds)) return formatInstant(microseconds)
  throw new InvalidOtlpError(`'${name}' must be nanoseconds since 1970 and before 2299-01-01.`)
}

/** `ofAttributes`: what the attributes say went wrong, for conventions that leave the status unset. */
function readException({ status, events }: Span, ofAttributes: string | undefined): string | undefined {
  const code = statusCodes[status?.code ?? 0]
  if (code === 'OK') return undefined
  const isError = code === 'ERROR' || ofAttributes !== undefined
  const exception = events.findLast(({ name }) => name === 'exception')?.attributes
  const texts = [status?.message, exception?.get('exception.message'), ofAttributes, exception?.get('exception.type')]
  return isError ? (texts.find((text): text is string => typeof text === 'string' && text !== '') ?? 'error') : undefined
}

function toEvent({ name, timeUnixNano, attributes }: SpanEvent) {
  const microseconds = timeUnixNano / 1000n
  return { name, time: isStorable(microseconds) ? formatInstant(microseconds) : null, attributes: nestAttributes(attributes) }
}

/** Leaves out what was not sent: protobuf gives it as '' or 0. */
function withoutDefaults<T extends { [name: string]: string | number }>(fields: T): Partial<T> {
  const sent: Partial<T> = {}
  for (const name in fields) if (fields[name] !== '' && fields[name] !== 0) sent[name] = fields[name]
  return sent
}
