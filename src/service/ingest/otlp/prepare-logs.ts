import { createHash } from 'node:crypto'
import type { Preparation } from '../../http/prepare/preparation'
import { toStoredJson } from '../../lib/stored-json'
import type { SpanMessages } from '../span-message-writer'
import type { Attributes } from './attributes/attributes'
import { logsSignal } from './export-request'
import { InvalidOtlpError } from './invalid-otlp-error'
import type { LogRecord } from './log-messages'
import { readLogMessages } from './read-log-messages'
import { readHeaderProject, readProjectId, type SpanProject } from './read-project-id'
import { type OtlpContext, readRequest } from './read-request'
import { validateId } from './validate-id'

/** Messages that are written at once. `rejected` are the records with messages that cannot be stored. */
export type LogPortion = SpanMessages & { rejected: { place: string; reason: string }[] }

/** `droppedCount`: records that are no messages of a span. */
export type LogsEnd = { itemCount: number; droppedCount: number; isAllForbidden: boolean }

// As for calls, see call-portion.ts.
const maxMessages = 1000
const maxBytes = 4 * 1024 * 1024
const maxRejected = 1000

export const prepareLogs: Preparation<OtlpContext, LogPortion, LogsEnd> = {
  name: 'logs',
  *prepare(body, { user, isJson, headerProject }) {
    const request = readRequest(body, isJson, logsSignal)
    const projectOfHeader = headerProject === undefined ? undefined : readHeaderProject(headerProject, user)
    const portion = new LogPortionBuilder()
    let droppedCount = 0
    let isAllForbidden = true
    let position = 0
    let resource: { attributes: Attributes; project: SpanProject } | undefined
    for (const { place, resource: attributes, decode } of request.items()) {
      try {
        const record = decode()
        const messages = record.spanId === '' ? undefined : readLogMessages(record)
        if (!messages) {
          droppedCount += 1
          continue
        }
        if (resource?.attributes !== attributes) {
          resource = { attributes, project: projectOfHeader ?? readProjectId(attributes, user) }
        }
        if ('reason' in resource.project) {
          isAllForbidden &&= resource.project.isForbidden
          portion.rejected.push({ place, reason: resource.project.reason })
        } else {
          isAllForbidden = false
          const spanId = validateId(record.spanId, 'span_id', 16)
          validateId(record.traceId, 'trace_id', 32)
          for (const { side, isWhole, value } of messages) {
            const row = { side, is_whole: isWhole ? 1 : 0, json: toStoredJson(value), position: (position += 1) }
            portion.add({ project_id: resource.project.projectId, id: spanId, time_ns: timeOf(record), ...row })
          }
        }
      } catch (error) {
        if (!(error instanceof InvalidOtlpError)) throw error
        isAllForbidden = false
        portion.rejected.push({ place, reason: error.message })
      }
      if (portion.isFull) yield portion.take()
    }
    yield portion.take()
    return { itemCount: request.itemCount, droppedCount, isAllForbidden }
  },
}

/** Nanoseconds since 1970. JSON can say more than the 64 bits of protobuf. */
function timeOf({ timeUnixNano, observedTimeUnixNano }: LogRecord): string {
  const time = timeUnixNano === 0n ? observedTimeUnixNano : timeUnixNano
  if (time < 2n ** 64n) return String(time)
  throw new InvalidOtlpError("'time_unix_nano' must be nanoseconds since 1970 in 64 bits.")
}

type MessageRow = {
  project_id: string
  /** Of the span. */
  id: string
  side: 'inputs' | 'output'
  time_ns: string
  /** In its request: the order of messages of the same time. */
  position: number
  is_whole: number
  json: string
}

class LogPortionBuilder {
  rejected: LogPortion['rejected'] = []
  private lines: Buffer[] = []
  private byteCount = 0
  private spanIdsByProject = new Map<string, Set<string>>()

  add(row: MessageRow): void {
    // The same message sent again is the same row.
    const digest = createHash('sha256').update(row.json).digest('hex')
    const line = Buffer.from(`${JSON.stringify({ ...row, digest })}\n`)
    this.lines.push(line)
    this.byteCount += line.length
    const spanIds = this.spanIdsByProject.get(row.project_id) ?? new Set()
    this.spanIdsByProject.set(row.project_id, spanIds.add(row.id))
  }

  get isFull(): boolean {
    return this.lines.length >= maxMessages || this.byteCount >= maxBytes || this.rejected.length >= maxRejected
  }

  /** What was added so far; the next portion begins empty. */
  take(): LogPortion {
    const { lines, spanIdsByProject, rejected } = this
    this.lines = []
    this.byteCount = 0
    this.spanIdsByProject = new Map()
    this.rejected = []
    return { bytes: Buffer.concat(lines), spanIdsByProject, rejected }
  }
}
