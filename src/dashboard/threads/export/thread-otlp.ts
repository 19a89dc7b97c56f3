import * as z from 'zod/mini'
import { isJsonObject } from '../../../contract/json-value'
import { maxParsedLength } from '../../payload/call-payload'
import { toMicroseconds } from '../calls/to-microseconds'
import { toAnyValue, toKeyValues } from './any-value'
import { readOtelSpan, toSpanFields } from './otel-span'
import type { ExportedCall, ThreadWriter } from './thread-content'
import { toUsageAttributes } from './usage-attributes'

/**
 * One export request of OTLP in JSON, which `POST /otel/v1/traces` and `npm run import` take. What came as a span becomes that
 * span again. Other calls become spans with OpenInference's and OpenTelemetry's attributes; what these have no name for, such
 * as the summary, is in attributes that begin with `spool.`.
 */
export function createOtlpWriter(): ThreadWriter {
  let projectId = ''
  // Spans of the same resource and scope that follow each other share one entry.
  let openGroup: string | undefined
  return {
    begin: (thread) => {
      projectId = thread.projectId
      return ['{"resourceSpans":[']
    },
    turn: () => [],
    call: (call) => {
      const otelSpan = readOtelSpan(parsePieces(call.payloads.attributes))
      const group = toGroup(otelSpan, projectId)
      const before = group === openGroup ? ',\n' : `${openGroup === undefined ? '' : ']}]},'}\n${group}`
      openGroup = group
      return [before, ...writeSpan(call, otelSpan)]
    },
    end: () => [`${openGroup === undefined ? '' : ']}]}'}\n]}\n`],
  }
}

function toGroup(otelSpan: ReturnType<typeof readOtelSpan>, projectId: string): string {
  const [entity = '', project = ''] = projectId.split('/')
  const resource = { ...otelSpan?.resource.attributes, 'wandb.entity': entity, 'wandb.project': project }
  const scope = otelSpan
    ? {
        name: otelSpan.scope.name,
        version: otelSpan.scope.version,
        attributes: toKeyValues(otelSpan.scope.attributes),
      }
    : { name: 'spool.export' }
  return `{"resource":${JSON.stringify({ attributes: toKeyValues(resource) })},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[`
}

function writeSpan(exported: ExportedCall, otelSpan: ReturnType<typeof readOtelSpan>): string[] {
  const { call, record, payloads } = exported
  const parentId = record ? record.parent_id : call.parent_id
  const exception = record?.exception
  const fields = {
    traceId: toTraceId(record?.trace_id ?? call.id),
    spanId: toSpanId(call.id),
    ...(parentId !== null && { parentSpanId: toSpanId(parentId) }),
    name: call.op_name || call.name,
    startTimeUnixNano: toNanoseconds(call.started_at),
    endTimeUnixNano: call.ended_at === null ? '0' : toNanoseconds(call.ended_at),
    ...(otelSpan ? toSpanFields(otelSpan) : { kind: 1 }),
    ...(!otelSpan && typeof exception === 'string' && { status: { code: 2, message: exception } }),
  }
  const own = otelSpan ? toKeyValues(otelSpan.attributes) : toCallAttributes(exported)
  const attributes: string[][] = [
    ...own.map((attribute) => [JSON.stringify(attribute)]),
    ...toValueAttributes(payloads.inputs, 'input', otelSpan !== undefined),
    ...toValueAttributes(payloads.output, 'output', otelSpan !== undefined),
    [JSON.stringify({ key: 'spool.call_id', value: toAnyValue(call.id) })],
  ]
  return [
    `${JSON.stringify(fields).slice(0, -1)},"attributes":[`,
    ...attributes.flatMap((pieces, index) => (index === 0 ? pieces : [','].concat(pieces))),
    ']}',
  ]
}

type Side = 'input' | 'output'

/** Inputs or output as the attributes that a span had; of other calls as OpenInference has them. Each attribute is text in pieces. */
function toValueAttributes(pieces: readonly string[] | null | undefined, side: Side, isSpan: boolean): string[][] {
  if (!pieces) return []
  const parsed = parsePieces(pieces)
  const names = isSpan && isJsonObject(parsed) ? Object.keys(parsed) : []
  if (isJsonObject(parsed) && names.length > 0 && names.every((name) => name.includes('.') || plainKeys[side].has(name))) {
    return Object.entries(parsed).map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return [JSON.stringify({ key, value: { stringValue: text } })]
    })
  }
  const isText = typeof parsed === 'string'
  const mimeType = isText ? 'text/plain' : 'application/json'
  // Pieces end between characters, so each can be escaped by itself.
  const texts = (isText ? [parsed] : pieces).map((text) => JSON.stringify(text).slice(1, -1))
  return [
    [JSON.stringify({ key: `${side}.mime_type`, value: { stringValue: mimeType } })],
    [`{"key":"${side}.value","value":{"stringValue":"`, ...texts, '"}}'],
  ]
}

/** Names under which the service keeps what a program sent without a convention. */
const plainKeys = { input: new Set(['input', 'inputs']), output: new Set(['output', 'outputs']) }

function toCallAttributes({ call, turnId, record, payloads, isAboveUsage }: ExportedCall) {
  const summary = parsePieces(payloads.summary)
  const attributes = parsePieces(payloads.attributes)
  return toKeyValues({
    ...(record?.thread_id && { 'wandb.thread_id': record.thread_id }),
    ...(call.id === turnId && record?.thread_id && { 'wandb.is_turn': true }),
    ...(call.name !== call.op_name && { 'wandb.display_name': call.name }),
    ...(call.kind && { 'openinference.span.kind': call.kind.toUpperCase() }),
    ...(attributes !== undefined && { 'wandb.attributes': JSON.stringify(attributes) }),
    ...(summary !== undefined && { 'spool.summary': JSON.stringify(summary) }),
    ...toUsageAttributes(call.model, record?.summary, summary, isAboveUsage),
  })
}

const Json = z.unknown()

/** Undefined for a value that is missing, too long to be parsed, or no JSON. */
function parsePieces(pieces: readonly string[] | null | undefined): unknown {
  if (!pieces || pieces.reduce((sum, { length }) => sum + length, 0) > maxParsedLength) return undefined
  try {
    return Json.parse(JSON.parse(pieces.join('')))
  } catch {
    return undefined
  }
}

function toNanoseconds(instant: string): string {
  return `${toMicroseconds(instant)}000`
}

/** A span id has 16 hex digits. Of a UUID these are its last: they are random in every version. */
export function toSpanId(id: string): string {
  const hex = id.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{16,}$/.test(hex) ? hex.slice(-16) : toHex(id, 16)
}

function toTraceId(id: string): string {
  const hex = id.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(hex) ? hex : toHex(id, 32)
}

/** Ids of other services may be any text: the same text gives the same digits (FNV-1a, with another start for each eight). */
function toHex(text: string, digits: number): string {
  return Array.from({ length: digits / 8 }, (_, part) => {
    let hash = 0x81_1c_9d_c5 + part
    for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93)
    return (hash >>> 0).toString(16).padStart(8, '0')
  }).join('')
}
