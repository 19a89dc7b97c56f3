import { formatInstant, isStorable } from '../../../contract/instant'
import type { CallRow } from '../call-row'
import { textOf } from './conventions/families'
import { nested } from './nested'
import { payloadsOf } from './payloads-of'
import { type Attributes, type Json, RejectedSpan, type Scope, type Span, type SpanEvent } from './span'
import { threadOf } from './thread-of'
import { readSpanUsage } from './read-span-usage'

const kinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']
const statusCodes = ['UNSET', 'OK', 'ERROR']
const errorCode = 2

/**
 * A span as a whole call. What has no column of its own is in `attributes.otel_span`, as the original keeps it; beside
 * it, under the original's names, what readers look for first. Throws a `RejectedSpan`.
 */
export function rowOfSpan(span: Span, resource: { [key: string]: Json }, scope: Scope, projectId: string): CallRow {
  const id = idOf(span.spanId, 'span_id', 16)
  const parentId = /^0*$/.test(span.parentSpanId) ? undefined : idOf(span.parentSpanId, 'parent_span_id', 16)
  const payloads = payloadsOf(span)
  const thread = threadOf(span.attributes)
  const usage = readSpanUsage(span.attributes)
  const displayName = span.attributes.get('wandb.display_name')
  return {
    project_id: projectId,
    id,
    trace_id: idOf(span.traceId, 'trace_id', 32),
    parent_id: parentId === id ? undefined : parentId,
    thread_id: thread?.threadId,
    turn_id: thread?.isTurn ? id : undefined,
    is_span: true,
    is_conversation: thread?.isConversation,
    op_name: span.name,
    display_name: typeof displayName === 'string' ? displayName : undefined,
    exception: exceptionOf(span),
    started_at: instantOf(span.startNano, 'start_time_unix_nano'),
    ended_at: span.endNano === 0n ? undefined : instantOf(span.endNano, 'end_time_unix_nano'),
    attributes: {
      ...wellKnown(span.attributes),
      ...ownAttributes(payloads.rest),
      otel_span: {
        kind: kinds[span.kind] ?? span.kind,
        status: { code: statusCodes[span.status.code] ?? span.status.code, ...said({ message: span.status.message }) },
        attributes: nested(payloads.rest),
        events: span.events.map(eventOf),
        links: span.links.map(({ traceId, spanId, traceState, attributes }) => ({
          trace_id: traceId,
          span_id: spanId,
          ...said({ trace_state: traceState }),
          attributes: nested(attributes),
        })),
        resource: { attributes: resource },
        scope: { name: scope.name, version: scope.version, attributes: nested(scope.attributes) },
        ...said({
          trace_state: span.traceState,
          flags: span.flags,
          dropped_attributes_count: span.droppedAttributesCount,
          dropped_events_count: span.droppedEventsCount,
          dropped_links_count: span.droppedLinksCount,
        }),
      },
    },
    inputs: payloads.inputs,
    output: payloads.output,
    summary: usage && { usage },
  }
}

function idOf(hex: string, name: string, digits: 16 | 32): string {
  if (hex.length === digits && /^[0-9a-f]+$/.test(hex) && !/^0+$/.test(hex)) return hex
  throw new RejectedSpan(`'${name}' must be ${digits / 2} bytes (in JSON ${digits} hex digits), not all zero.`)
}

/** Microseconds are kept, what is below them is cut off. */
function instantOf(nanoseconds: bigint, name: string): string {
  const microseconds = nanoseconds / 1000n
  if (isStorable(microseconds)) return formatInstant(microseconds)
  throw new RejectedSpan(`'${name}' must be nanoseconds since 1970 and before 2299-01-01.`)
}

function exceptionOf({ status, events }: Span): string | undefined {
  if (status.code !== errorCode) return undefined
  const raised = events.findLast(({ name }) => name === 'exception')?.attributes
  const texts = [status.message, raised?.get('exception.message'), raised?.get('exception.type')]
  return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? 'error'
}

function eventOf({ name, timeNano, attributes }: SpanEvent) {
  const microseconds = timeNano / 1000n
  return { name, time: isStorable(microseconds) ? formatInstant(microseconds) : null, attributes: nested(attributes) }
}

function wellKnown(attributes: Attributes): { [name: string]: string } {
  return Object.fromEntries(
    (['model', 'provider', 'operation', 'kind'] as const).flatMap((name) => {
      const text = textOf(attributes, name)
      return text === undefined ? [] : [[name, text]]
    }),
  )
}

/** `wandb.attributes.<name>`: what the sender wants to find among the call's own attributes. */
function ownAttributes(attributes: Attributes): { [name: string]: Json } {
  const prefix = 'wandb.attributes.'
  const own = [...attributes].filter(([key]) => key.startsWith(prefix))
  return nested(new Map(own.map(([key, value]) => [key.slice(prefix.length), value])))
}

/** Without what the sender has left out. */
function said<T extends { [name: string]: string | number }>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '' && value !== 0)) as Partial<T> // some of T's own entries
}
