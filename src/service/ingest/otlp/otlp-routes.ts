import { Writer } from 'protobufjs/minimal.js'
import * as z from 'zod'
import type { IncomingRequest } from '../../http/incoming-request'
import type { Preparer } from '../../http/prepare/preparation'
import { maxBodyBytes } from '../../http/read-body'
import { rawRoute, type Route } from '../../http/route'
import type { RouteResponse } from '../../http/route-response'
import type { CallWriter } from '../call-writer'
import type { RefusedCalls } from '../refused-calls'
import { type ExportResult, exportSpans } from './export-spans'
import { prepareSpans } from './prepare-spans'

/** W&B Weave's path, another that its documentation once named, and the default of OpenTelemetry's exporters. */
const paths = ['/otel/v1/traces', '/otel/v1/trace', '/v1/traces'] as const
const mediaTypes = ['application/x-protobuf', 'application/protobuf', 'application/json']

const ExportTraceServiceResponse = z.object({
  partialSuccess: z.object({ rejectedSpans: z.string(), errorMessage: z.string() }).optional(),
})

export type OtlpDeps = { writer: CallWriter; refused: RefusedCalls; preparer: Preparer }

/** OTLP over HTTP: https://opentelemetry.io/docs/specs/otlp/#otlphttp */
export function otlpRoutes({ writer, refused, preparer }: OtlpDeps): Route[] {
  const onRejected = (username: string, place: string, reason: string) =>
    refused.add(username, { loc: ['body', place], msg: reason, type: 'value_error' })
  return paths.map((path): Route =>
    rawRoute({ method: 'POST', path, mediaTypes, maxBodyBytes }, async (incoming, context) => {
      const spansContext = { user: context.user, isJson: isJson(incoming), headerProject: context.header('project_id') }
      const portions = preparer.prepare(prepareSpans, incoming.body, spansContext, context)
      const result = await exportSpans(portions, context, { writer, onRejected })
      return isJson(incoming)
        ? toJsonResponse(result)
        : toProtobufResponse(result, incoming.mediaType || 'application/x-protobuf')
    }),
  )
}

function isJson({ mediaType }: IncomingRequest): boolean {
  return mediaType.endsWith('json')
}

function toJsonResponse({ rejected, spanCount }: ExportResult): RouteResponse {
  const partialSuccess = { rejectedSpans: String(rejected.count), errorMessage: rejected.toErrorMessage(spanCount) }
  return { kind: 'json', value: rejected.count > 0 ? { partialSuccess } : {}, schema: ExportTraceServiceResponse }
}

function toProtobufResponse({ rejected, spanCount }: ExportResult, mediaType: string): RouteResponse {
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
