import * as z from 'zod/mini'
import type { Chunk } from './chunks'
import { ImportError } from './import-error'
import { objectOf } from './line-value'
import type { Line } from './lines'
import { add, nothing, type Outcome, textOf } from './outcome'
import { sendInHalves } from './send-in-halves'
import type { Sender } from './sender'

/** One export request: its text, and, where it can be joined with others, what stands between the brackets of its `resourceSpans`. */
type Export = { line: number; spanCount: number; text: string; inner: string | undefined }

// Read tolerantly: the service is the judge, this only counts.
const ScopeSpans = z.object({ spans: z.optional(z.array(z.unknown())) })
const ResourceSpans = z.object({ scopeSpans: z.optional(z.array(ScopeSpans)) })
const ExportRequest = z.object({ resourceSpans: z.array(z.unknown()) })

const otherSignals = new Set(['resourceLogs', 'resourceMetrics', 'resourceProfiles'])

/** Sends a chunk of export requests, as the collector's file exporter writes them, one a line. */
export async function importTraces(chunk: Chunk, sender: Sender, project: string | undefined): Promise<Outcome> {
  const outcome = nothing()
  const joined: Export[] = []
  const alone: Export[] = []
  for (const line of chunk.lines) {
    const read = readExport(line)
    if ('skip' in read) add(outcome, { ...nothing(), skipped: { [read.skip]: 1 } })
    else if ('msg' in read) outcome.problems.push({ line: line.number, msg: read.msg })
    else if (read.inner === undefined) alone.push(read)
    else if (read.inner.trim() !== '') joined.push(read)
  }
  const batches = [...(joined.length > 0 ? [joined] : []), ...alone.map((each) => [each])]
  for (const batch of batches) add(outcome, await sendInHalves(batch, (some) => sendExports(some, sender, project)))
  outcome.problems.sort((a, b) => a.line - b.line)
  return outcome
}

function readExport(line: Line): Export | { msg: string } | { skip: string } {
  const read = objectOf(line)
  if ('msg' in read) return read
  const keys = Object.keys(read.object)
  const parsed = z.safeParse(ExportRequest, read.object)
  if (!parsed.success) {
    if (keys.length > 0 && keys.every((key) => otherSignals.has(key)))
      return { skip: 'lines of logs or metrics, which are no traces' }
    return { msg: "No list 'resourceSpans'. Expected an ExportTraceServiceRequest in OTLP's JSON, its names in lowerCamelCase." }
  }
  // The text and not the value goes on, so that large integers arrive digit by digit.
  const text = line.bytes?.toString('utf8') ?? ''
  const inner = keys.length === 1 ? /^\s*\{\s*"resourceSpans"\s*:\s*\[([^]*)\]\s*\}\s*$/.exec(text)?.[1] : undefined
  return { line: line.number, spanCount: spanCountOf(parsed.data), text, inner }
}

function spanCountOf({ resourceSpans }: z.output<typeof ExportRequest>): number {
  let count = 0
  for (const each of resourceSpans) {
    const parsed = z.safeParse(ResourceSpans, each)
    for (const { spans } of parsed.data?.scopeSpans ?? []) count += spans?.length ?? 0
  }
  return count
}

const PartialSuccess = z.object({
  partialSuccess: z.optional(
    z.nullable(
      z.object({
        // An int64 is text in JSON; some write it as a number.
        rejectedSpans: z.optional(z.union([z.number(), z.string()])),
        errorMessage: z.optional(z.string()),
      }),
    ),
  ),
})

async function sendExports(
  exports: readonly Export[],
  sender: Sender,
  project: string | undefined,
): Promise<Outcome | undefined> {
  const [only] = exports.length === 1 ? exports : []
  const body = only ? only.text : `{"resourceSpans":[${exports.map(({ inner }) => inner).join(',')}]}`
  const headers = project === undefined ? {} : { project_id: Buffer.from(project, 'utf8').toString('latin1') }
  const answer = await sender.post({ path: '/otel/v1/traces', body, headers })
  if (answer.kind === 'refused') return only && { ...nothing(), problems: [{ line: only.line, msg: textOf(answer.problems) }] }
  const parsed = z.safeParse(PartialSuccess, answer.value)
  if (!parsed.success)
    throw new ImportError('The service answered an export of traces with something unknown: it is no Spool, or another version.')
  const { rejectedSpans = 0, errorMessage = '' } = parsed.data.partialSuccess ?? {}
  const rejected = Number(rejectedSpans)
  if (rejected === 0) return { ...nothing(), stored: exports.reduce((sum, { spanCount }) => sum + spanCount, 0) }
  return (
    only && {
      stored: Math.max(0, only.spanCount - rejected),
      problems: [{ line: only.line, msg: `${rejected} of its ${only.spanCount} spans were refused: ${errorMessage}` }],
      skipped: {},
    }
  )
}
