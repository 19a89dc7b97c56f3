import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import protobuf from 'protobufjs'
import { drain, listen } from '../../src/service/listen'

/** What OTLP's spans and log records look like in protobuf. https://github.com/open-telemetry/opentelemetry-proto */
const schema = `syntax = "proto3";
message AnyValue { oneof value { string stringValue = 1; bool boolValue = 2; int64 intValue = 3; double doubleValue = 4; ArrayValue arrayValue = 5; KeyValueList kvlistValue = 6; bytes bytesValue = 7; } }
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }
message KeyValue { string key = 1; AnyValue value = 2; }
message Scope { string name = 1; string version = 2; }
message Resource { repeated KeyValue attributes = 1; }
message Event { fixed64 timeUnixNano = 1; string name = 2; repeated KeyValue attributes = 3; }
message Status { string message = 2; int32 code = 3; }
message Span { bytes traceId = 1; bytes spanId = 2; string traceState = 3; bytes parentSpanId = 4; string name = 5; int32 kind = 6; fixed64 startTimeUnixNano = 7; fixed64 endTimeUnixNano = 8; repeated KeyValue attributes = 9; repeated Event events = 11; Status status = 15; }
message ScopeSpans { Scope scope = 1; repeated Span spans = 2; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scopeSpans = 2; }
message TracesRequest { repeated ResourceSpans resourceSpans = 1; }
message LogRecord { fixed64 timeUnixNano = 1; int32 severityNumber = 2; AnyValue body = 5; repeated KeyValue attributes = 6; bytes traceId = 9; bytes spanId = 10; fixed64 observedTimeUnixNano = 11; string eventName = 12; }
message ScopeLogs { Scope scope = 1; repeated LogRecord logRecords = 2; }
message ResourceLogs { Resource resource = 1; repeated ScopeLogs scopeLogs = 2; }
message LogsRequest { repeated ResourceLogs resourceLogs = 1; }`

/**
 * Stands between the clients and Spool, and writes what each client exports as OTLP JSON: `<folder>/<client>.json` has one
 * request with all spans, `<client>.logs.json` one with all log records. From these the fixtures of the conventions are cut.
 */
export async function recordExports(spoolUrl: string, folder: string) {
  const { root } = protobuf.parse(schema)
  const recorded = new Map<string, unknown[]>()

  const record = (client: string, isLogs: boolean, body: Buffer, isJson: boolean) => {
    const type = root.lookupType(isLogs ? 'LogsRequest' : 'TracesRequest')
    const request: Record<string, unknown> = isJson
      ? JSON.parse(body.toString())
      : toJsonIds(type.toObject(type.decode(body), { longs: String, bytes: String }))
    const field = isLogs ? 'resourceLogs' : 'resourceSpans'
    const name = isLogs ? `${client}.logs` : client
    const groups = [...(recorded.get(name) ?? []), ...(request[field] as unknown[])] // both messages are lists of groups
    recorded.set(name, groups)
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ [field]: groups }, null, 1))
  }

  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    const headers = request.headers as Record<string, string> // no client here repeats a header
    const [, kind] = /\/v1\/(traces|logs)$/.exec(request.url ?? '') ?? []
    const client = decodeURIComponent(headers['project_id'] ?? '').split('/')[1]
    if (kind !== undefined && client !== undefined) {
      const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
      record(client, kind === 'logs', plain, headers['content-type']?.includes('json') === true)
    }
    const { host: _host, connection: _connection, 'content-length': _length, 'transfer-encoding': _encoding, ...rest } = headers
    const method = request.method ?? 'GET'
    const sent = { method, headers: rest, ...(body.length > 0 && { body }) } // `fetch` refuses a GET with a body
    const reply = await fetch(new URL(request.url ?? '/', spoolUrl), sent)
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'text/plain' })
    response.end(Buffer.from(await reply.arrayBuffer()))
  }
  const server = createServer((request, response) => {
    forward(request, response).catch((error: unknown) => {
      console.error('The recorder failed:', error)
      response.writeHead(500).end()
    })
  })
  return { url: await listen(server, '127.0.0.1', 0), close: () => drain(server, 1000) }
}

/** protobufjs gives bytes as base64; OTLP's JSON has the ids of spans in hex. */
function toJsonIds(value: unknown): Record<string, unknown> {
  const convert = (key: string, each: unknown): unknown =>
    /^(?:trace|span|parentSpan)Id$/.test(key) && typeof each === 'string' ? Buffer.from(each, 'base64').toString('hex') : each
  return JSON.parse(JSON.stringify(value), (key, each: unknown) => convert(key, each))
}
