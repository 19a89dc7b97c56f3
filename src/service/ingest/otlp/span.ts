/** A value that JSON can hold: bytes are base64, integers beyond 2^53 decimal text, NaN and infinities their names. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export function jsonInteger(value: bigint): number | string {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : String(value)
}

export function jsonDouble(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}

export type Attributes = ReadonlyMap<string, Json>

/** One span as it was sent, whichever encoding carried it; '' and 0 where the sender said nothing, as in protobuf. */
export type Span = {
  /** Ids are lower-case hex of whatever length was sent. */
  traceId: string
  spanId: string
  parentSpanId: string
  traceState: string
  flags: number
  name: string
  kind: number
  /** Nanoseconds since 1970. */
  startNano: bigint
  endNano: bigint
  attributes: Attributes
  droppedAttributesCount: number
  events: SpanEvent[]
  droppedEventsCount: number
  links: SpanLink[]
  droppedLinksCount: number
  status: { code: number; message: string }
}

export type SpanEvent = { timeNano: bigint; name: string; attributes: Attributes }
export type SpanLink = { traceId: string; spanId: string; traceState: string; attributes: Attributes }
export type Scope = { name: string; version: string; attributes: Attributes }

/** A span that has not been read yet, with what it shares with its neighbours. `read` throws a `RejectedSpan`. */
export type WaitingSpan = { resource: Attributes; scope: Scope; place: string; read: () => Span }

/** A request whose outer shape has been judged: it can be walked through to its end. */
export type ExportRequest = { spanCount: number; spans: () => Iterable<WaitingSpan> }

/** A span that cannot be stored; the message says what would be right. Its neighbours are stored all the same. */
export class RejectedSpan extends Error {
  override readonly name = 'RejectedSpan'
}

/** More spans, or groups of spans, than one request may hold. */
export class TooManySpans extends Error {
  override readonly name = 'TooManySpans'
}

const deepestValue = 64
const mostValues = 100_000

/**
 * How much one span, or what it shares with others, may hold: attributes, events, links and the values within values.
 * Two bytes make an empty one, so a body of nothing but these would fill the memory; and deep ones are walked by recursion.
 */
export class ValueBudget {
  private left = mostValues

  /** Throws a `RejectedSpan`. */
  take(depth = 0): void {
    this.left -= 1
    if (this.left < 0) throw new RejectedSpan(`A span may hold ${mostValues} attributes, events, links and values in all.`)
    if (depth > deepestValue) throw new RejectedSpan(`The values of attributes may be nested ${deepestValue} levels deep.`)
  }
}

/** An exporter sends some hundreds, a collector some thousands at once. */
export const mostSpans = 100_000

export function emptySpan(): Span {
  return {
    traceId: '',
    spanId: '',
    parentSpanId: '',
    traceState: '',
    flags: 0,
    name: '',
    kind: 0,
    startNano: 0n,
    endNano: 0n,
    attributes: new Map(),
    droppedAttributesCount: 0,
    events: [],
    droppedEventsCount: 0,
    links: [],
    droppedLinksCount: 0,
    status: { code: 0, message: '' },
  }
}

export const emptyScope: Scope = { name: '', version: '', attributes: new Map() }
