import { Writer } from 'protobufjs/minimal.js'

// Requests as tests write them, in OTLP's JSON, and an encoder to protobuf. It has field numbers of its own, so that a wrong
// number in the product's table fails a test.

export type AnyValue = {
  stringValue?: string
  boolValue?: boolean
  intValue?: string
  doubleValue?: number | string
  bytesValue?: string
  arrayValue?: { values: AnyValue[] }
  kvlistValue?: { values: JsonKeyValue[] }
}
export type JsonKeyValue = { key: string; value: AnyValue }
export type OtlpSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  traceState?: string
  flags?: number
  name?: string
  kind?: number
  startTimeUnixNano: string
  endTimeUnixNano?: string
  attributes?: JsonKeyValue[]
  events?: { timeUnixNano: string; name: string; attributes: JsonKeyValue[] }[]
  links?: { traceId: string; spanId: string; attributes: JsonKeyValue[] }[]
  status?: { code?: number; message?: string }
  droppedAttributesCount?: number
}
export type OtlpRequest = {
  resourceSpans: {
    resource?: { attributes: JsonKeyValue[] }
    scopeSpans: { scope?: { name: string; version: string }; spans: OtlpSpan[] }[]
  }[]
}

export type OtlpLogRecord = {
  timeUnixNano?: string
  observedTimeUnixNano?: string
  severityNumber?: number
  severityText?: string
  body?: AnyValue
  attributes?: JsonKeyValue[]
  traceId?: string
  spanId?: string
  eventName?: string
}
export type OtlpLogsRequest = {
  resourceLogs: { resource?: { attributes: JsonKeyValue[] }; scopeLogs: { logRecords: OtlpLogRecord[] }[] }[]
}

export function toLogsProtobuf(request: OtlpLogsRequest): Uint8Array<ArrayBuffer> {
  const writer = Writer.create()
  for (const resourceLogs of request.resourceLogs) {
    message(writer, 1, () => {
      if (resourceLogs.resource) message(writer, 1, () => writeAttributes(writer, 1, resourceLogs.resource?.attributes))
      for (const { logRecords } of resourceLogs.scopeLogs) {
        message(writer, 2, () => {
          for (const record of logRecords) message(writer, 2, () => writeLogRecord(writer, record))
        })
      }
    })
  }
  return new Uint8Array(writer.finish())
}

function writeLogRecord(writer: Writer, record: OtlpLogRecord): void {
  const { body } = record
  nanoseconds(writer, 1, record.timeUnixNano)
  if (record.severityNumber !== undefined) writer.uint32(2 << 3).int32(record.severityNumber)
  text(writer, 3, record.severityText)
  if (body) message(writer, 5, () => writeValue(writer, body))
  writeAttributes(writer, 6, record.attributes)
  hex(writer, 9, record.traceId)
  hex(writer, 10, record.spanId)
  nanoseconds(writer, 11, record.observedTimeUnixNano)
  text(writer, 12, record.eventName)
}

export function toProtobuf(request: OtlpRequest): Uint8Array<ArrayBuffer> {
  const writer = Writer.create()
  for (const resourceSpans of request.resourceSpans) {
    message(writer, 1, () => {
      if (resourceSpans.resource) message(writer, 1, () => writeAttributes(writer, 1, resourceSpans.resource?.attributes))
      for (const scopeSpans of resourceSpans.scopeSpans) {
        message(writer, 2, () => {
          if (scopeSpans.scope) {
            const { name, version } = scopeSpans.scope
            message(writer, 1, () => {
              text(writer, 1, name)
              text(writer, 2, version)
            })
          }
          for (const span of scopeSpans.spans) message(writer, 2, () => writeSpan(writer, span))
        })
      }
    })
  }
  return new Uint8Array(writer.finish())
}

function writeSpan(writer: Writer, span: OtlpSpan): void {
  hex(writer, 1, span.traceId)
  hex(writer, 2, span.spanId)
  text(writer, 3, span.traceState)
  hex(writer, 4, span.parentSpanId)
  text(writer, 5, span.name)
  if (span.kind !== undefined) writer.uint32(6 << 3).int32(span.kind)
  nanoseconds(writer, 7, span.startTimeUnixNano)
  nanoseconds(writer, 8, span.endTimeUnixNano)
  writeAttributes(writer, 9, span.attributes)
  if (span.droppedAttributesCount !== undefined) writer.uint32(10 << 3).uint32(span.droppedAttributesCount)
  for (const event of span.events ?? []) {
    message(writer, 11, () => {
      nanoseconds(writer, 1, event.timeUnixNano)
      text(writer, 2, event.name)
      writeAttributes(writer, 3, event.attributes)
    })
  }
  for (const link of span.links ?? []) {
    message(writer, 13, () => {
      hex(writer, 1, link.traceId)
      hex(writer, 2, link.spanId)
      writeAttributes(writer, 4, link.attributes)
    })
  }
  if (span.status) {
    const { code, message: statusMessage } = span.status
    message(writer, 15, () => {
      text(writer, 2, statusMessage)
      if (code !== undefined) writer.uint32(3 << 3).int32(code)
    })
  }
  if (span.flags !== undefined) writer.uint32((16 << 3) | 5).fixed32(span.flags)
}

function writeAttributes(writer: Writer, number: number, attributes: readonly JsonKeyValue[] = []): void {
  for (const { key, value } of attributes) {
    message(writer, number, () => {
      text(writer, 1, key)
      message(writer, 2, () => writeValue(writer, value))
    })
  }
}

function writeValue(writer: Writer, value: AnyValue): void {
  if (value.stringValue !== undefined) writer.uint32((1 << 3) | 2).string(value.stringValue)
  if (value.boolValue !== undefined) writer.uint32(2 << 3).bool(value.boolValue)
  if (value.intValue !== undefined) writer.uint32(3 << 3).int64(value.intValue)
  if (value.doubleValue !== undefined) writer.uint32((4 << 3) | 1).double(Number(value.doubleValue))
  if (value.arrayValue) {
    const { values } = value.arrayValue
    message(writer, 5, () => {
      for (const each of values) message(writer, 1, () => writeValue(writer, each))
    })
  }
  if (value.kvlistValue) {
    const { values } = value.kvlistValue
    message(writer, 6, () => writeAttributes(writer, 1, values))
  }
  if (value.bytesValue !== undefined) writer.uint32((7 << 3) | 2).bytes(Buffer.from(value.bytesValue, 'base64'))
}

function message(writer: Writer, number: number, write: () => void): void {
  writer.uint32((number << 3) | 2).fork()
  write()
  writer.ldelim()
}

function text(writer: Writer, number: number, value: string | undefined): void {
  if (value !== undefined) writer.uint32((number << 3) | 2).string(value)
}

function hex(writer: Writer, number: number, value: string | undefined): void {
  if (value !== undefined) writer.uint32((number << 3) | 2).bytes(Buffer.from(value, 'hex'))
}

function nanoseconds(writer: Writer, number: number, value: string | undefined): void {
  if (value !== undefined) writer.uint32((number << 3) | 1).fixed64(value)
}
