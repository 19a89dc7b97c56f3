import * as z from 'zod/mini'
import { formatProblems } from '../../../contract/price-files/format-problems'
import { type BatchResult, createResult } from './batch-result'
import { parseLine, sendLines, type Unsent } from './import-lines'
import type { Line } from './input-file'
import type { ServiceClient } from './service-client'

type Export = {
  line: number
  spanCount: number
  json: string
  /** The JSON between the brackets of `resourceSpans`; undefined where the export cannot be merged with others. */
  resourceSpans: string | undefined
}

type Fields = Readonly<Record<string, unknown>>

const otherSignals = new Set(['resourceLogs', 'resourceMetrics', 'resourceProfiles'])
// Some exporters write the names of the protobuf definition.
const spellings = [
  { resources: 'resourceSpans', scopes: 'scopeSpans' },
  { resources: 'resource_spans', scopes: 'scope_spans' },
] as const
type Spelling = (typeof spellings)[number]

/** Sends OTLP export requests, one a line, as the OpenTelemetry Collector's file exporter writes them. */
export function sendTraces(lines: readonly Line[], client: ServiceClient, project: string | undefined): Promise<BatchResult> {
  return sendLines(lines, { parse: parseExport, group: groupExports, send: (exports) => sendExports(exports, client, project) })
}

/** All exports that can be merged make one request, each other export makes one of its own. */
function groupExports(exports: readonly Export[]): Export[][] {
  const mergeable = exports.filter(({ resourceSpans }) => resourceSpans !== undefined && resourceSpans.trim() !== '')
  const single = exports.filter(({ resourceSpans }) => resourceSpans === undefined)
  return [...(mergeable.length > 0 ? [mergeable] : []), ...single.map((each) => [each])]
}

function parseExport(line: Line): Export | Unsent {
  const parsed = parseLine(line)
  if ('msg' in parsed) return parsed
  const fields = Object.keys(parsed.value)
  const spelling = findSpelling(parsed.value)
  if (!spelling) {
    const isOtherSignal = fields.length > 0 && fields.every((field) => otherSignals.has(field))
    if (isOtherSignal) return { skipReason: 'lines of logs or metrics' }
    return { msg: "The line has no list 'resourceSpans'. Expected an ExportTraceServiceRequest in OTLP's JSON." }
  }
  // The text is sent, not the parsed value: a number would lose digits of large integers.
  const json = line.bytes?.toString('utf8') ?? ''
  const resourceSpans = fields.length === 1 ? /^\s*\{\s*"resourceSpans"\s*:\s*\[([^]*)\]\s*\}\s*$/.exec(json)?.[1] : undefined
  return { line: line.number, spanCount: countSpans(parsed.value, spelling), json, resourceSpans }
}

function findSpelling(request: Fields): Spelling | undefined {
  return spellings.find(({ resources }) => Array.isArray(request[resources]))
}

/** Only counts: the service validates. */
function countSpans(request: Fields, { resources, scopes }: Spelling): number {
  return readList(request, resources)
    .flatMap((resource) => readList(resource, scopes))
    .reduce<number>((count, scope) => count + readList(scope, 'spans').length, 0)
}

function readList(owner: unknown, field: string): readonly unknown[] {
  const list: unknown = typeof owner === 'object' && owner !== null ? Reflect.get(owner, field) : undefined
  return Array.isArray(list) ? list : []
}

const maxSpansPerExport = 500

/** Splits one JSON document into small export requests, which need not fit into one request together. */
export async function* splitTraceDocument(json: string): AsyncGenerator<Line> {
  const request = parseLine({ number: 1, bytes: Buffer.from(quoteLargeIntegers(json)) })
  const spelling = 'value' in request ? findSpelling(request.value) : undefined
  if ('msg' in request || !spelling) {
    yield { number: 1, bytes: Buffer.from(json) }
    return
  }
  const { resources, scopes } = spelling
  const toLine = (resource: unknown): Line => ({
    number: 1,
    bytes: Buffer.from(JSON.stringify({ [resources]: [resource] })),
  })
  for (const resource of readList(request.value, resources)) {
    const scopeList = readList(resource, scopes)
    // What has no list to split is sent as it is, so that the service can refuse it.
    if (scopeList.length === 0) yield toLine(resource)
    for (const scope of scopeList) {
      const spans = readList(scope, 'spans')
      if (spans.length === 0) yield toLine({ ...Object(resource), [scopes]: [scope] })
      for (let start = 0; start < spans.length; start += maxSpansPerExport) {
        const part = { ...Object(scope), spans: spans.slice(start, start + maxSpansPerExport) }
        yield toLine({ ...Object(resource), [scopes]: [part] })
      }
    }
  }
}

/** OTLP writes 64-bit integers as text. Some exporters write numbers, which would lose digits when they are parsed. */
function quoteLargeIntegers(json: string): string {
  return json.replaceAll(/"(\w+UnixNano|\w+_unix_nano|intValue|int_value)"\s*:\s*(-?\d{16,})/g, '"$1":"$2"')
}

const ExportResponse = z.object({
  partialSuccess: z.optional(
    z.nullable(
      z.object({
        // An int64 is text in JSON, but some services write a number.
        rejectedSpans: z.optional(z.union([z.number(), z.string()])),
        errorMessage: z.optional(z.string()),
      }),
    ),
  ),
})

async function sendExports(
  exports: readonly Export[],
  client: ServiceClient,
  project: string | undefined,
): Promise<BatchResult | undefined> {
  const [only] = exports.length === 1 ? exports : []
  const body = only ? only.json : `{"resourceSpans":[${exports.map(({ resourceSpans }) => resourceSpans).join(',')}]}`
  const headers = project === undefined ? {} : { project_id: project }
  const reply = await client.post({ path: '/otel/v1/traces', body, headers, response: ExportResponse })
  if (reply.kind === 'refused') {
    return only && createResult({ problems: [{ line: only.line, msg: formatProblems(reply.problems) }] })
  }
  const { rejectedSpans = 0, errorMessage = '' } = reply.value.partialSuccess ?? {}
  const rejectedCount = Number(rejectedSpans)
  if (rejectedCount === 0) return createResult({ stored: exports.reduce((sum, { spanCount }) => sum + spanCount, 0) })
  return (
    only &&
    createResult({
      stored: Math.max(0, only.spanCount - rejectedCount),
      problems: [{ line: only.line, msg: errorMessage || `${rejectedCount} of ${only.spanCount} spans were refused.` }],
    })
  )
}
