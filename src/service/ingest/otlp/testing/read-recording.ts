import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { CallRow } from '../../call-row'
import { nestAttributes } from '../attributes/nest-attributes'
import { logsSignal, readExportRequest, spansSignal } from '../export-request'
import { jsonEncoding } from '../json-encoding'
import { type LogMessage, readLogMessages } from '../read-log-messages'
import { spanToCallRow } from '../span-to-call-row'

export const recordingsFolder = join(import.meta.dirname, '../conventions/fixtures')

const Recording = z.object({
  request: z.unknown(),
  calls: z.array(z.unknown()),
  logs: z.optional(z.unknown()),
  messages: z.optional(z.array(z.unknown())),
})

/**
 * An export request that a real client sent, cut to some of its spans, and what is expected of the calls; for clients that send
 * messages as log records, these too and the expected messages. To record one, run
 * `npm run test:clients -- <client> --record <folder>`.
 */
export function readRecording(name: string): z.infer<typeof Recording> {
  return Recording.parse(JSON.parse(readFileSync(join(recordingsFolder, `${name}.json`), 'utf8')))
}

const Row = z.object({
  op_name: z.string(),
  display_name: z.optional(z.string()),
  thread_id: z.optional(z.string()),
  is_conversation: z.optional(z.boolean()),
  exception: z.optional(z.string()),
  attributes: z.record(z.string(), z.unknown()),
  inputs: z.optional(z.unknown()),
  output: z.optional(z.unknown()),
  summary: z.optional(z.object({ usage: z.unknown() })),
})

/** What the calls of a request say, without ids, times and the copy of the span. */
export function summarizeCalls(request: unknown): Record<string, unknown>[] {
  const spans = readExportRequest(request, jsonEncoding, spansSignal).items()
  return Array.from(spans, ({ decode, resource, scope }) =>
    summarizeRow(spanToCallRow(decode(), nestAttributes(resource), scope, 'acme/p')),
  )
}

/** The messages of spans that a request has as log records. */
export function readMessages(logs: unknown): LogMessage[] {
  const records = Array.from(readExportRequest(logs, jsonEncoding, logsSignal).items(), ({ decode }) => decode())
  return records.flatMap((record) => readLogMessages(record) ?? [])
}

function summarizeRow(row: CallRow): Record<string, unknown> {
  // As the store gets it, where undefined is absent.
  const { attributes, summary, ...fields } = Row.parse(JSON.parse(JSON.stringify(row)))
  const { otel_span: _, ...headings } = attributes
  return { ...fields, ...headings, ...summary }
}
