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

const otherSignals = new Set(['resourceLogs', 'resourceMetrics', 'resourceProfiles'])
const forms = [
  { resources: 'resourceSpans', scopes: 'scopeSpans' },
  // The protobuf definition's own spelling, which some write.
  { resources: 'resource_spans', scopes: 'scope_spans' },
] as const

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
  const request: Readonly<Record<string, unknown>> = { ...read.object }
  const keys = Object.keys(request)
  const form = forms.find(({ resources }) => Array.isArray(request[resources]))
  if (!form) {
    const isOther = keys.length > 0 && keys.every((key) => otherSignals.has(key))
    if (isOther) return { skip: 'lines of logs or metrics, which are no traces' }
    return { msg: "The line has no list 'resourceSpans'. Expected an ExportTraceServiceRequest in OTLP's JSON." }
  }
  // The text and not the value goes on, so that large integers arrive digit by digit.
  const text = line.bytes?.toString('utf8') ?? ''
  const inner = keys.length === 1 ? /^\s*\{\s*"resourceSpans"\s*:\s*\[([^]*)\]\s*\}\s*$/.exec(text)?.[1] : undefined
  return { line: line.number, spanCount: spanCountOf(request, form), text, inner }
}

/** Read tolerantly: the service is the judge, this only counts. */
function spanCountOf(request: Readonly<Record<string, unknown>>, { resources, scopes }: (typeof forms)[number]): number {
  return listIn(request, resources)
    .flatMap((each) => listIn(each, scopes))
    .reduce<number>((count, each) => count + listIn(each, 'spans').length, 0)
}

function listIn(owner: unknown, name: string): readonly unknown[] {
  const list: unknown = typeof owner === 'object' && owner !== null ? Reflect.get(owner, name) : undefined
  return Array.isArray(list) ? list : []
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
  const headers = project === undefined ? {} : { project_id: project }
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
      problems: [{ line: only.line, msg: errorMessage || `${rejected} of its ${only.spanCount} spans were refused.` }],
      skipped: {},
    }
  )
}
