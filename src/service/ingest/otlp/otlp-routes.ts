import { Writer } from 'protobufjs/minimal.js'
import * as z from 'zod'
import { HttpError } from '../../http/http-error'
import type { IncomingRequest } from '../../http/incoming-request'
import { parseJson } from '../../http/parse-json'
import { rawRoute, type Route } from '../../http/route'
import type { RouteResponse } from '../../http/route-response'
import type { CallWriter } from '../call-writer'
import type { RefusedCalls } from '../refused-calls'
import { type ExportRequest, InvalidFrameError, maxSpans, readExportRequest, TooManySpansError } from './export-request'
import { exportSpans } from './export-spans'
import { jsonEncoding } from './json-encoding'
import { protobufEncoding } from './protobuf-encoding'
import type { RejectedSpans } from './rejected-spans'

/** W&B Weave's path, another that its documentation once named, and the default of OpenTelemetry's exporters. */
const paths = ['/otel/v1/traces', '/otel/v1/trace', '/v1/traces'] as const
const mediaTypes = ['application/x-protobuf', 'application/protobuf', 'application/json']

const ExportTraceServiceResponse = z.object({
  partialSuccess: z.object({ rejectedSpans: z.string(), errorMessage: z.string() }).optional(),
})

/** OTLP over HTTP: https://opentelemetry.io/docs/specs/otlp/#otlphttp */
export function otlpRoutes({ writer, refused }: { writer: CallWriter; refused: RefusedCalls }): Route[] {
  const onRejected = (username: string, place: string, reason: string) =>
    refused.add(username, { loc: ['body', place], msg: reason, type: 'value_error' })
  return paths.map((path): Route =>
    rawRoute({ method: 'POST', path, mediaTypes }, async (incoming, context) => {
      const request = readRequest(incoming)
      const rejected = await exportSpans(request, context, { writer, onRejected })
      return isJson(incoming)
        ? toJsonResponse(rejected, request.spanCount)
        : toProtobufResponse(rejected, request.spanCount, incoming.mediaType || 'application/x-protobuf')
    }),
  )
}

function isJson({ mediaType }: IncomingRequest): boolean {
  return mediaType.endsWith('json')
}

function readRequest(incoming: IncomingRequest): ExportRequest {
  try {
    return isJson(incoming)
      ? readExportRequest(parseJson(incoming.body), jsonEncoding)
      : readExportRequest(incoming.body, protobufEncoding)
  } catch (error) {
    if (error instanceof TooManySpansError) {
      const msg = `A request may hold ${maxSpans} spans. Send smaller batches (OTEL_BSP_MAX_EXPORT_BATCH_SIZE).`
      throw new HttpError('invalid', { loc: ['body'], msg, type: 'too_long' })
    }
    if (!(error instanceof InvalidFrameError)) throw error
    if (isJson(incoming)) throw new HttpError('invalid', { loc: [...error.loc], msg: error.message, type: 'value_error' })
    const msg = `The body is not an ExportTraceServiceRequest of OTLP in protobuf. ${error.message}`
    throw new HttpError('invalid', { loc: ['body'], msg, type: 'protobuf_invalid' })
  }
}

function toJsonResponse(rejected: RejectedSpans, spanCount: number): RouteResponse {
  const partialSuccess = { rejectedSpans: String(rejected.count), errorMessage: rejected.toErrorMessage(spanCount) }
  return { kind: 'json', value: rejected.count > 0 ? { partialSuccess } : {}, schema: ExportTraceServiceResponse }
}

function toProtobufResponse(rejected: RejectedSpans, spanCount: number, mediaType: string): RouteResponse {
  // An empty message is a full success.
  if (rejected.count === 0) return { kind: 'bytes', bytes: new Uint8Array(), mediaType }
  // ExportTraceServiceResponse.partial_success = 1 { rejected_spans = 1 (int64), error_message = 2 }
  const bytes = Writer.create()
    .uint32((1 << 3) | 2)
    .fork()
    .uint32(1 << 3)
    .int64(rejected.count)
    .uint32((2 << 3) | 2)
    .string(rejected.toErrorMessage(spanCount))
    .ldelim()
    .finish()
  return { kind: 'bytes', bytes: new Uint8Array(bytes), mediaType }
}
