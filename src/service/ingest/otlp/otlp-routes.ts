import { Writer } from 'protobufjs/minimal.js'
import * as z from 'zod'
import type { RefusedCalls } from '../refused-calls'
import type { IncomingRequest } from '../../http/incoming-request'
import { parseJson } from '../../http/parse-json'
import { HttpError } from '../../http/http-error'
import { rawRoute, type Route } from '../../http/route'
import type { RouteResponse } from '../../http/route-response'
import type { CallWriter } from '../call-writer'
import { exportSpans } from './export-spans'
import { MalformedProtobuf } from './fields'
import { MalformedRequest, readJson } from './read-json'
import { readProtobuf } from './read-protobuf'
import type { Rejections } from './rejections'
import { type ExportRequest, mostSpans, TooManySpans } from './span'

/** The original's address, one that its documentation once had, and the one exporters come to by themselves. */
const paths = ['/otel/v1/traces', '/otel/v1/trace', '/v1/traces'] as const
const mediaTypes = ['application/x-protobuf', 'application/protobuf', 'application/json']

const ExportResponse = z.object({
  partialSuccess: z.object({ rejectedSpans: z.string(), errorMessage: z.string() }).optional(),
})

/** OpenTelemetry's way in: https://opentelemetry.io/docs/specs/otlp/#otlphttp */
export function otlpRoutes({ writer, refused }: { writer: CallWriter; refused: RefusedCalls }): Route[] {
  const onRejected = (username: string, place: string, reason: string) =>
    refused.add(username, { loc: ['body', place], msg: reason, type: 'value_error' })
  return paths.map((path): Route =>
    rawRoute({ method: 'POST', path, mediaTypes }, async (incoming, context) => {
      const request = readRequest(incoming)
      const rejections = await exportSpans(request, context, { writer, onRejected })
      return answerOf(rejections, request.spanCount, incoming)
    }),
  )
}

function isJson({ mediaType }: IncomingRequest): boolean {
  return mediaType.endsWith('json')
}

function readRequest(incoming: IncomingRequest): ExportRequest {
  try {
    return isJson(incoming) ? readJson(parseJson(incoming.body)) : readProtobuf(incoming.body)
  } catch (error) {
    if (error instanceof MalformedRequest) {
      throw new HttpError('invalid', { loc: [...error.loc], msg: error.message, type: 'value_error' })
    }
    if (error instanceof TooManySpans) {
      const msg = `A request may hold ${mostSpans} spans. Send smaller batches (OTEL_BSP_MAX_EXPORT_BATCH_SIZE).`
      throw new HttpError('invalid', { loc: ['body'], msg, type: 'too_long' })
    }
    if (!(error instanceof MalformedProtobuf)) throw error
    const msg = `The body is no ExportTraceServiceRequest of OTLP in protobuf: it is ${error.message}.`
    throw new HttpError('invalid', { loc: ['body'], msg, type: 'protobuf_invalid' })
  }
}

/** In the encoding of the request; nothing at all is the protobuf of a full success. */
function answerOf(rejections: Rejections, spanCount: number, incoming: IncomingRequest): RouteResponse {
  const errorMessage = rejections.message(spanCount)
  if (isJson(incoming)) {
    const partialSuccess = { rejectedSpans: String(rejections.count), errorMessage }
    return { kind: 'json', value: rejections.count > 0 ? { partialSuccess } : {}, schema: ExportResponse }
  }
  const mediaType = incoming.mediaType || 'application/x-protobuf'
  if (rejections.count === 0) return { kind: 'bytes', bytes: new Uint8Array(), mediaType }
  // ExportTraceServiceResponse.partial_success = 1 { rejected_spans = 1 (int64), error_message = 2 }
  const bytes = Writer.create()
    .uint32((1 << 3) | 2)
    .fork()
    .uint32(1 << 3)
    .int64(rejections.count)
    .uint32((2 << 3) | 2)
    .string(errorMessage)
    .ldelim()
    .finish()
  return { kind: 'bytes', bytes: new Uint8Array(bytes), mediaType }
}
