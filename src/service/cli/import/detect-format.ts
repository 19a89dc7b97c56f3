import { isJsonObject } from '../../../contract/json-value'
import { ImportError } from './import-error'
import { formats, type Format } from './import-options'
import { type InputFile, type Line, readLines, readWholeFile } from './input-file'

export type DetectedFormat = {
  format: Format
  /** The file is one JSON document, not JSON lines. Prices are always read as a whole. */
  isDocument: boolean
}

/**
 * Decides by the file name, else by the first JSON value; `format` is what the user says it is. Undefined for an empty file.
 * Throws an `ImportError` where the format remains unknown.
 */
export async function detectFormat(file: InputFile, format: Format | undefined): Promise<DetectedFormat | undefined> {
  const firstLine = await readFirstLine(file)
  if (!firstLine) return undefined
  if (format === undefined && /\.csv(?:\.gz)?$/i.test(file.name)) return { format: 'csv-prices', isDocument: true }
  if (format !== undefined && format !== 'traces') return { format, isDocument: format !== 'calls' }
  const { value, isDocument } = await readFirstValue(file, firstLine)
  if (format !== undefined) return { format, isDocument }
  if (Array.isArray(value)) throw new ImportError(`${file.name} is a JSON list. Write one object per line: jq -c '.[]'`)
  const detected = detectByValue(value)
  if (detected === undefined) {
    throw new ImportError(`${file.name} does not show its format. Name it with --as: ${formats.join(', ')}.`)
  }
  if (detected === 'calls' && isDocument) {
    throw new ImportError(`${file.name} has a call that spans several lines. Write one call per line: jq -c .`)
  }
  return { format: detected, isDocument }
}

async function readFirstLine(file: InputFile): Promise<Line | undefined> {
  for await (const line of readLines(file)) return line
  return undefined
}

/** Parses the first line, or the whole file where the first line is no JSON value by itself. */
async function readFirstValue(file: InputFile, { bytes }: Line): Promise<{ value: unknown; isDocument: boolean }> {
  const lineValue = bytes && tryParseJson(bytes.toString('utf8'))
  if (lineValue !== undefined) return { value: lineValue, isDocument: false }
  const canBeDocument = !bytes || /^\s*[{[]/.test(bytes.toString('utf8'))
  const value = canBeDocument ? tryParseJson(await readWholeFile(file)) : undefined
  return { value, isDocument: value !== undefined }
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // It is no JSON, which is what the caller wants to know.
  }
}

// A collector may write logs and metrics into the same file; the import skips them.
const otlpFields = ['resourceSpans', 'resource_spans', 'resourceMetrics', 'resourceLogs', 'resourceProfiles']

function detectByValue(value: unknown): Format | undefined {
  if (!isJsonObject(value)) return undefined
  if (otlpFields.some((field) => Object.hasOwn(value, field))) return 'traces'
  if (Object.hasOwn(value, 'op_name') || Object.hasOwn(value, 'project_id')) return 'calls'
  const hasPrices = Object.values(value).some((entry) => isJsonObject(entry) && Object.hasOwn(entry, 'input_cost_per_token'))
  return hasPrices ? 'litellm-prices' : undefined
}
