import { isAscii } from 'node:buffer'
import { ImportError } from './import-error'
import type { Format } from './import-options'
import { outlineOf } from './top-level-keys'

/** What a file is: its format, and whether each line stands for itself or all lines make one JSON document. */
export type Recognised = { format: Format; isDocument: boolean }

const understood =
  'It is none of: OTLP traces as JSON lines, Weave calls as JSON lines, LiteLLM prices as JSON, prices as CSV. ' +
  'If it is one of them, say which with --as.'

/** Tells a file by its first bytes, decompressed; `forced` is what its owner says it is. Throws an `ImportError` where neither tells. */
export function recognise(head: Buffer, forced: Format | undefined): Recognised {
  requireUtf8Marks(head)
  const text = head.toString('utf8').replace(/^\ufeff/, '')
  const found = formatOfLines(text) ?? formatOfDocument(text) ?? formatOfTable(text)
  if (forced !== undefined && found?.format !== forced) return { format: forced, isDocument: isPricing(forced) }
  if (!found) throw new ImportError(understood)
  if (found.isDocument && found.format === 'weave') throw new ImportError(onePerLine)
  return found
}

const onePerLine = 'The calls are spread over lines. Write one call per line: jq -c . file, or jq -c .[] file for a list.'

function requireUtf8Marks(head: Buffer): void {
  const isUtf16 = head.length >= 2 && (head.readUInt16BE(0) === 0xfeff || head.readUInt16BE(0) === 0xfffe)
  if (isUtf16) throw new ImportError('The file is UTF-16. Save it as UTF-8.')
}

function isPricing(format: Format): boolean {
  return format === 'litellm' || format === 'prices-csv'
}

/** The first line that is a whole JSON object of a known kind, or the beginning of one that is longer than the head. */
function formatOfLines(text: string): Recognised | undefined {
  if (/^\s*\[/.test(text)) return undefined
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const isCut = index === lines.length - 1
    if (!/^\s*\{/.test(line)) continue
    const outline = outlineOf(line)
    const isWhole = outline.end !== undefined && line.slice(outline.end).trim() === ''
    const format = isWhole || (isCut && outline.end === undefined) ? formatOfKeys(outline.keys) : undefined
    if (format) return { format, isDocument: isPricing(format) }
  }
  return undefined
}

function formatOfDocument(text: string): Recognised | undefined {
  const start = /^\s*\[/.exec(text)
  const format = formatOfKeys(outlineOf(start ? text.slice(start[0].length) : text).keys)
  if (format === undefined) return undefined
  if (start && format !== 'weave')
    throw new ImportError('A JSON list is not what this format is. Write one object per line: jq -c .[] file.')
  return { format, isDocument: true }
}

const otlpKeys = new Set(['resourceSpans', 'resource_spans', 'resourceMetrics', 'resourceLogs', 'resourceProfiles'])

function formatOfKeys(keys: ReturnType<typeof outlineOf>['keys']): Format | undefined {
  const outer = new Set(keys.filter(({ depth }) => depth === 1).map(({ name }) => name))
  if ([...outer].some((name) => otlpKeys.has(name))) return 'otlp'
  if (outer.has('op_name') || (outer.has('id') && outer.has('trace_id'))) return 'weave'
  const isPriced = keys.some(({ name, depth }) => depth === 2 && (name === 'litellm_provider' || name === 'input_cost_per_token'))
  return isPriced ? 'litellm' : undefined
}

/** A header row, whatever its separator: the reader says what is wrong with it. */
function formatOfTable(text: string): Recognised | undefined {
  const header = text.split(/\r?\n/, 1)[0] ?? ''
  const isHeader = /(?:^|[,;\t|"])\s*llm_id\s*(?:$|[,;\t|"])/i.test(header) && isAscii(Buffer.from(header))
  return isHeader ? { format: 'prices-csv', isDocument: true } : undefined
}
