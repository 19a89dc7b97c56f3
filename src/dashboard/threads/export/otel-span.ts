import * as z from 'zod/mini'
import { toMicroseconds } from '../calls/to-microseconds'
import { toKeyValues } from './any-value'

/* oxlint-disable promise/valid-params -- zod's catch, not a promise's */
const Attributes = z.catch(z.record(z.string(), z.unknown()), {})
const Text = z.catch(z.string(), '')

/** What the service keeps of a span under `attributes.otel_span`. */
const OtelSpan = z.object({
  kind: z.catch(z.union([z.string(), z.number()]), 'UNSPECIFIED'),
  status: z.catch(z.object({ code: z.union([z.string(), z.number()]), message: z.optional(z.string()) }), { code: 'UNSET' }),
  attributes: Attributes,
  events: z.catch(z.array(z.object({ name: Text, time: z.catch(z.nullable(z.string()), null), attributes: Attributes })), []),
  links: z.catch(z.array(z.object({ trace_id: z.string(), span_id: z.string(), trace_state: Text, attributes: Attributes })), []),
  resource: z.catch(z.object({ attributes: Attributes }), { attributes: {} }),
  scope: z.catch(z.object({ name: Text, version: Text, attributes: Attributes }), { name: '', version: '', attributes: {} }),
  trace_state: Text,
})
type OtelSpan = z.infer<typeof OtelSpan>

const SpanAttributes = z.object({ otel_span: OtelSpan })

/** Undefined for a call that did not come as a span. */
export function readOtelSpan(attributes: unknown): OtelSpan | undefined {
  return z.safeParse(SpanAttributes, attributes).data?.otel_span
}

/** By number, without their prefix. */
const kinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']
const statusCodes = ['UNSET', 'OK', 'ERROR']

/** The fields of a span that its call does not have, in OTLP's JSON. */
export function toSpanFields({ kind, status, events, links, trace_state: traceState }: OtelSpan) {
  return {
    kind: toNumber(kind, kinds),
    status: { code: toNumber(status.code, statusCodes), ...(status.message && { message: status.message }) },
    ...(traceState && { traceState }),
    events: events.map(({ name, time, attributes }) => ({
      name,
      timeUnixNano: time === null ? '0' : `${toMicroseconds(time)}000`,
      attributes: toKeyValues(attributes),
    })),
    links: links.map((link) => ({
      traceId: link.trace_id,
      spanId: link.span_id,
      ...(link.trace_state && { traceState: link.trace_state }),
      attributes: toKeyValues(link.attributes),
    })),
  }
}

function toNumber(value: string | number, names: readonly string[]): number {
  return typeof value === 'number' ? value : Math.max(0, names.indexOf(value))
}
