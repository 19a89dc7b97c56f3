import type { Json } from '../attributes/attributes'
import { emptyValue } from '../message'
import { spanToCallRow } from '../span-to-call-row'
import { scopeMessage, type Span, spanMessage } from '../trace-messages'

/** The call of a span with these attributes. `scopeName` is the library that made it. */
export function toRow(attributes: Readonly<Record<string, Json>>, more: Partial<Span> = {}, scopeName = '') {
  const ids = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), startTimeUnixNano: 1_790_000_000_000_000_000n }
  const span = { ...emptyValue(spanMessage), ...ids, attributes: new Map(Object.entries(attributes)), ...more }
  return spanToCallRow(span, {}, { ...emptyValue(scopeMessage), name: scopeName }, 'acme/p')
}
