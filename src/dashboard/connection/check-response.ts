import * as z from 'zod/mini'
import type { ClientEndpoint } from '../../contract/endpoint'
import { ReceivedCost, receiveCosts } from '../../contract/received-costs'
import { ResponseSchemaError, StreamInterruptedError } from '../client/api-error'
import { LineReader } from '../client/line-reader'
import { parseRows } from '../client/parse-rows'
import { readServerWords } from '../client/server-words'

/**
 * What a response with the right form shows:
 * - `read`: records that the pages can read
 * - `empty`: no record, which other kinds of service may send too
 * - `ignores-limit`: more records than asked for
 */
export type CheckedResponse = 'read' | 'empty' | 'ignores-limit'

/** Throws a `ResponseSchemaError` for what no service of this kind sends. */
export async function checkCosts(response: Response, limit: number): Promise<CheckedResponse> {
  const text = await response.text().catch(toInterruption(receiveCosts))
  const list = z.safeParse(receiveCosts.response, parseJson(text))
  if (!list.success) throw otherService(receiveCosts, response, text)
  const { rows, brokenLines } = await parseRows(ReceivedCost, list.data.results)
  // Every field may be missing, but a record without a model is no price.
  if (list.data.results.length > 0 && !rows.some(({ llm_id }) => llm_id !== null)) {
    throw new ResponseSchemaError(receiveCosts, response.status, brokenLines[0]?.reason ?? 'its records name no model (llm_id).')
  }
  return compareCount(list.data.results.length, limit)
}

/** Reads until the first records, so that a service that ignores the limit does not have to send everything. */
export async function checkLines(
  response: Response,
  endpoint: ClientEndpoint<z.core.$ZodType, z.core.$ZodType, true>,
  limit: number,
): Promise<CheckedResponse> {
  const mediaType = response.headers.get('content-type') ?? ''
  const lines = new LineReader(endpoint.response, /\bapplication\/json\b/.test(mediaType))
  let text = ''
  let rowCount = 0
  let reason: string | undefined
  const take = () => {
    const { rows, brokenLines } = lines.take()
    rowCount += rows.length
    reason ??= brokenLines[0]?.reason
  }
  const decoder = new TextDecoder()
  for await (const chunk of readChunks(response, endpoint)) {
    if (text.length < maxQuotedBytes) text += decoder.decode(chunk, { stream: true })
    lines.push(chunk)
    take()
    if (rowCount > limit) return 'ignores-limit'
  }
  lines.finish()
  take()
  if (rowCount > 0 || (text.trim() === '' && !/html/.test(mediaType))) return compareCount(rowCount, limit)
  // A list without records is a list.
  if (reason === undefined && /^\s*(?:\[|\{\s*"threads")/.test(text)) return 'empty'
  const value = parseJson(text.split('\n', 1)[0] ?? '')
  const isRecord = reason !== undefined && typeof value === 'object' && value !== null && 'thread_id' in value
  throw isRecord ? new ResponseSchemaError(endpoint, response.status, reason ?? '') : otherService(endpoint, response, text)
}

const maxQuotedBytes = 100_000

function compareCount(count: number, limit: number): CheckedResponse {
  return count === 0 ? 'empty' : count > limit ? 'ignores-limit' : 'read'
}

async function* readChunks({ body }: Response, request: Request) {
  if (!body) return
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(toInterruption(request))
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

type Request = { method: string; path: string }

/** A body that breaks off gives an error of the browser, which names neither the request nor the cause. */
function toInterruption(request: Request) {
  return (cause: unknown): never => {
    throw new StreamInterruptedError(request, { cause })
  }
}

function otherService(request: Request, { status }: Response, text: string): ResponseSchemaError {
  return new ResponseSchemaError(request, status, describeBody(text))
}

/** What came instead, in the server's own words where it has any. */
function describeBody(text: string): string {
  const words = readServerWords(text).text
  if (/^\s*</.test(text)) return words === '' ? 'it is a web page.' : `it is a web page, “${words}”.`
  const value = parseJson(text)
  if (value === undefined) return words === '' ? 'it is empty.' : `it is the text “${words}”.`
  if (words !== '') return `it says “${words}”.`
  const names = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).slice(0, 5) : []
  return names.length > 0 ? `it is JSON with other fields: ${names.join(', ')}.` : 'it is JSON of another form.'
}

/** Returns undefined for text that is not JSON; JSON itself has no undefined. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
