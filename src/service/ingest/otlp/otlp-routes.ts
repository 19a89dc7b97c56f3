import { Writer } from 'protobufjs/minimal.js'
import * as z from 'zod'
import type { IncomingRequest } from '../../http/incoming-request'
import type { Preparer } from '../../http/prepare/preparation'
import { maxBodyBytes } from '../../http/read-body'
import { rawRoute, type RequestContext, type Route } from '../../http/route'
import type { RouteResponse } from '../../http/route-response'
import type { CallSink } from '../call-writer'
import type { RefusedCalls } from '../refused-calls'
import type { SpanMessageWriter } from '../span-message-writer'
import { exportLogs } from './export-logs'
import { type ExportResult, exportSpans } from './export-spans'
import { prepareLogs } from './prepare-logs'
import { prepareSpans } from './prepare-spans'
import type { OtlpContext } from './read-request'

/**
 * W&B Weave's path, another that its documentation once named, that of its SDK for Python, the default of OpenTelemetry's
 * exporters, and Langfuse's.
 */
const tracesPaths = [
  '/otel/v1/traces',
  '/otel/v1/trace',
  '/agents/otel/v1/traces',
  '/v1/traces',
  '/api/public/otel/v1/traces',
] as const
const logsPaths = ['/otel/v1/logs', '/v1/logs', '/api/public/otel/v1/logs'] as const
const mediaTypes = ['application/x-protobuf', 'application/protobuf', 'application/json']

const ExportResponse = z.object({
  partialSuccess: z
    .object({ rejectedSpans: z.string().optional(), rejectedLogRecords: z.string().optional(), errorMessage: z.string() })
    .optional(),
})
type RejectedField = 'rejectedSpans' | 'rejectedLogRecords'

export type OtlpDeps = {
  writer: CallSink
  messageWriter: SpanMessageWriter
  refused: RefusedCalls
  preparer: Preparer
  /** Called with the number of log records that are no messages of spans. */
  onDroppedLogRecords: (username: string, count: number) => void
}

/** OTLP over HTTP: https://opentelemetry.io/docs/specs/otlp/#otlphttp */
export function otlpRoutes({ writer, messageWriter, refused, preparer, onDroppedLogRecords }: OtlpDeps): Route[] {
  const onRejected = (username: string, place: string, reason: string) =>
    refused.add(username, { loc: ['body', place], msg: reason, type: 'value_error' })
  return [
    ...otlpRoutesAt(tracesPaths, 'rejectedSpans', (incoming, context) =>
      exportSpans(preparer.prepare(prepareSpans, incoming.body, toOtlpContext(incoming, context), context), context, {
        writer,
        onRejected,
      }),
    ),
    ...otlpRoutesAt(logsPaths, 'rejectedLogRecords', (incoming, context) =>
      exportLogs(preparer.prepare(prepareLogs, incoming.body, toOtlpContext(incoming, context), context), context, {
        messageWriter,
        onDropped: onDroppedLogRecords,
        onRejected,
      }),
    ),
  ]
}

function otlpRoutesAt(
  paths: readonly Route['path'][],
  rejectedField: RejectedField,
  handle: (incoming: IncomingRequest, context: RequestContext) => Promise<ExportResult>,
): Route[] {
  return paths.map((path): Route =>
    rawRoute({ method: 'POST', path, mediaTypes, maxBodyBytes }, async (incoming, context) => {
      const result = await handle(incoming, context)
      return isJson(incoming)
        ? toJsonResponse(result, rejectedField)
        : toProtobufResponse(result, incoming.mediaType || 'application/x-protobuf')
    }),
  )
}

function toOtlpContext(incoming: IncomingRequest, { user, header }: RequestContext): OtlpContext {
  return { user, isJson: isJson(incoming), headerProject: header('project_id') }
}

function isJson({ mediaType }: IncomingRequest): boolean {
  return mediaType.endsWith('json')
}

function toJsonResponse({ rejected, itemCount }: ExportResult, rejectedField: RejectedField): RouteResponse {
  const partialSuccess = { [rejectedField]: String(rejected.count), errorMessage: rejected.toErrorMessage(itemCount) }
  return { kind: 'json', value: rejected.count > 0 ? { partialSuccess } : {}, schema: ExportResponse }
}

/** The responses to spans and to log records have the same field numbers. */
function toProtobufResponse({ rejected, itemCount }: ExportResult, mediaType: string): RouteResponse {
  // An empty message is a full success.
  if (rejected.count === 0) return { kind: 'bytes', bytes: new Uint8Array(), mediaType }
  // partial_success = 1 { rejected_spans or rejected_log_records = 1 (int64), error_message = 2 }
  const bytes = Writer.create()
    .uint32((1 << 3) | 2)
    .fork()
    .uint32(1 << 3)
    .int64(rejected.count)
    .uint32((2 << 3) | 2)
    .string(rejected.toErrorMessage(itemCount))
    .ldelim()
    .finish()
  return { kind: 'bytes', bytes: new Uint8Array(bytes), mediaType }
}
