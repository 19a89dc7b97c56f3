import {
  type Attributes,
  emptyScope,
  type ExportRequest,
  type Json,
  jsonDouble,
  jsonInteger,
  mostSpans,
  RejectedSpan,
  type Scope,
  type Span,
  type SpanEvent,
  type SpanLink,
  TooManySpans,
  ValueBudget,
  type WaitingSpan,
} from './span'
import { isJsonObject } from '../../../contract/json-value'

/** A part of the request that is not of the shape it should be; `loc` is where. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest'

  constructor(
    readonly loc: readonly string[],
    message: string,
  ) {
    super(message)
  }
}

type JsonObject = Readonly<Record<string, unknown>>

const kinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map((name) => `SPAN_KIND_${name}`)
const statusCodes = ['UNSET', 'OK', 'ERROR'].map((name) => `STATUS_CODE_${name}`)

/** An ExportTraceServiceRequest as JSON, its outer shape judged. Throws a `MalformedRequest` or `TooManySpans`. */
export function readJson(body: unknown): ExportRequest {
  const request = objectAt(body, ['body'])
  let spanCount = 0
  for (const { spans } of scopesIn(request)) spanCount += spans.length
  if (spanCount > mostSpans) throw new TooManySpans()
  return { spanCount, spans: () => spansIn(request) }
}

function* spansIn(request: JsonObject): Generator<WaitingSpan> {
  for (const { resource, scope, spans, place } of scopesIn(request)) {
    for (const [index, span] of spans.entries()) {
      yield { resource, scope, place: `${place}.spans[${index}]`, read: () => readSpan(span) }
    }
  }
}

function* scopesIn(request: JsonObject) {
  const resourceGroups = listAt(request, 'resourceSpans', ['body'])
  for (const [resourceIndex, resourceGroup] of resourceGroups.entries()) {
    const loc = ['body', 'resourceSpans', String(resourceIndex)]
    const own = objectAt(resourceGroup, loc)
    const resource = attributesAt(objectAt(field(own, 'resource') ?? {}, [...loc, 'resource']), [...loc, 'resource'])
    for (const [scopeIndex, scopeGroup] of listAt(own, 'scopeSpans', loc).entries()) {
      const scopeLoc = [...loc, 'scopeSpans', String(scopeIndex)]
      const scopeSpans = objectAt(scopeGroup, scopeLoc)
      yield {
        resource,
        scope: readScope(field(scopeSpans, 'scope'), [...scopeLoc, 'scope']),
        spans: listAt(scopeSpans, 'spans', scopeLoc),
        place: `resource_spans[${resourceIndex}].scope_spans[${scopeIndex}]`,
      }
    }
  }
}

function readScope(value: unknown, loc: readonly string[]): Scope {
  if (value === undefined) return emptyScope
  const scope = objectAt(value, loc)
  return { name: text(scope, 'name'), version: text(scope, 'version'), attributes: attributesAt(scope, loc) }
}

function attributesAt(owner: JsonObject, loc: readonly string[]): Attributes {
  try {
    return attributesOf(owner, new ValueBudget())
  } catch (error) {
    if (error instanceof RejectedSpan) throw new MalformedRequest([...loc, 'attributes'], error.message)
    throw error
  }
}

function readSpan(value: unknown): Span {
  const span = inner(value, 'A span')
  const status = field(span, 'status')
  const budget = new ValueBudget()
  return {
    traceId: text(span, 'traceId').toLowerCase(),
    spanId: text(span, 'spanId').toLowerCase(),
    parentSpanId: text(span, 'parentSpanId').toLowerCase(),
    traceState: text(span, 'traceState'),
    flags: count(span, 'flags'),
    name: text(span, 'name'),
    kind: enumeration(span, 'kind', kinds),
    startNano: nanoseconds(span, 'startTimeUnixNano'),
    endNano: nanoseconds(span, 'endTimeUnixNano'),
    attributes: attributesOf(span, budget),
    droppedAttributesCount: count(span, 'droppedAttributesCount'),
    events: list(span, 'events').map((event) => readEvent(event, budget)),
    droppedEventsCount: count(span, 'droppedEventsCount'),
    links: list(span, 'links').map((link) => readLink(link, budget)),
    droppedLinksCount: count(span, 'droppedLinksCount'),
    status: status === undefined ? { code: 0, message: '' } : readStatus(inner(status, "'status'")),
  }
}

function readStatus(status: JsonObject): Span['status'] {
  return { code: enumeration(status, 'code', statusCodes), message: text(status, 'message') }
}

function readEvent(value: unknown, budget: ValueBudget): SpanEvent {
  budget.take()
  const event = inner(value, 'An event')
  return { timeNano: nanoseconds(event, 'timeUnixNano'), name: text(event, 'name'), attributes: attributesOf(event, budget) }
}

function readLink(value: unknown, budget: ValueBudget): SpanLink {
  budget.take()
  const link = inner(value, 'A link')
  return {
    traceId: text(link, 'traceId').toLowerCase(),
    spanId: text(link, 'spanId').toLowerCase(),
    traceState: text(link, 'traceState'),
    attributes: attributesOf(link, budget),
  }
}

function attributesOf(owner: JsonObject, budget: ValueBudget): Attributes {
  return new Map(list(owner, 'attributes').map((each) => keyValue(each, budget, 0)))
}

function keyValue(value: unknown, budget: ValueBudget, depth: number): [string, Json] {
  budget.take(depth)
  const pair = inner(value, 'An attribute')
  return [text(pair, 'key'), readValue(field(pair, 'value'), budget, depth)]
}

function readValue(value: unknown, budget: ValueBudget, depth: number): Json {
  if (value === undefined || value === null) return null
  const any = inner(value, 'The value of an attribute')
  for (const name of ['stringValue', 'bytesValue']) if (field(any, name) !== undefined) return text(any, name)
  const boolean = field(any, 'boolValue')
  if (boolean !== undefined) return boolean === true || boolean === 'true'
  if (field(any, 'intValue') !== undefined) return jsonInteger(integer(any, 'intValue'))
  if (field(any, 'doubleValue') !== undefined) return double(any, 'doubleValue')
  const array = field(any, 'arrayValue')
  if (array !== undefined) {
    return list(inner(array, "'arrayValue'"), 'values').map((each) => {
      budget.take(depth + 1)
      return readValue(each, budget, depth + 1)
    })
  }
  const object = field(any, 'kvlistValue')
  if (object === undefined) return null
  return Object.fromEntries(list(inner(object, "'kvlistValue'"), 'values').map((each) => keyValue(each, budget, depth + 1)))
}

/** Fields go by their lowerCamelCase names, and by those of the protobuf definition as well; null says nothing. */
function field(owner: JsonObject, name: string): unknown {
  if (Object.hasOwn(owner, name)) return owner[name] ?? undefined
  const snakeCase = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.hasOwn(owner, snakeCase) ? (owner[snakeCase] ?? undefined) : undefined
}

function objectAt(value: unknown, loc: readonly string[]): JsonObject {
  if (isJsonObject(value)) return value
  throw new MalformedRequest(loc, 'Must be an object.')
}

function listAt(owner: JsonObject, name: string, loc: readonly string[]): readonly unknown[] {
  const value = field(owner, name) ?? []
  if (Array.isArray(value)) return value
  throw new MalformedRequest([...loc, name], 'Must be a list.')
}

function inner(value: unknown, what: string): JsonObject {
  if (isJsonObject(value)) return value
  throw new RejectedSpan(`${what} must be an object.`)
}

function list(owner: JsonObject, name: string): readonly unknown[] {
  const value = field(owner, name) ?? []
  if (Array.isArray(value)) return value
  throw new RejectedSpan(`'${name}' must be a list.`)
}

function text(owner: JsonObject, name: string): string {
  const value = field(owner, name) ?? ''
  if (typeof value === 'string') return value
  throw new RejectedSpan(`'${name}' must be text.`)
}

function enumeration(owner: JsonObject, name: string, names: readonly string[]): number {
  const value = field(owner, name) ?? 0
  const index = typeof value === 'string' ? names.indexOf(value) : value
  if (typeof index === 'number' && index >= 0 && Number.isInteger(index)) return index
  throw new RejectedSpan(`'${name}' must be a number or one of ${names.join(', ')}.`)
}

function integer(owner: JsonObject, name: string): bigint {
  const value = field(owner, name) ?? 0
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return BigInt(value)
  throw new RejectedSpan(`'${name}' must be a whole number, as a number or as decimal text.`)
}

function nanoseconds(owner: JsonObject, name: string): bigint {
  const value = integer(owner, name)
  if (value >= 0n) return value
  throw new RejectedSpan(`'${name}' must be nanoseconds since 1970, not less than 0.`)
}

function count(owner: JsonObject, name: string): number {
  return Number(integer(owner, name))
}

function double(owner: JsonObject, name: string): number | string {
  const value = field(owner, name)
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number === 'number') return jsonDouble(number)
  throw new RejectedSpan(`'${name}' must be a number.`)
}
