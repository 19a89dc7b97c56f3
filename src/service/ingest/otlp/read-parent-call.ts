import { CallId, TraceId } from '../../../contract/call-writes'
import type { AttributeReader } from './attributes/attribute-reader'

export type ParentCall = { id: string; traceId: string }

/**
 * The call of a Weave SDK in which a span was made. Weave's SDK for Python (0.54) names it on every span of the program, and
 * sends the spans beside its calls, in a trace of their own.
 */
export function readParentCall(span: AttributeReader): ParentCall | undefined {
  const sentId = span.get('weave.parent_call.id')
  // A failed parse costs more than the rest of a short span.
  if (sentId === undefined) return undefined
  const id = CallId.safeParse(sentId)
  const traceId = TraceId.safeParse(span.get('weave.parent_call.trace_id'))
  return id.success && traceId.success ? { id: id.data, traceId: traceId.data } : undefined
}
