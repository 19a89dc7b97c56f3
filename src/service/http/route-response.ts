import type { Context } from 'hono'
import type { Logger } from 'pino'
import { type core, parse } from 'zod'
import { acceptsEncoding, compress, compressStream, minCompressBytes } from './compress'
import { stringifyWithJsonText } from '../lib/json-text'
import type { HttpEnv } from './http-env'
import { encodeJsonLines, toBodyStream, waitForFirst } from './json-lines'
import { encodeServerSentEvents, type ServerSentEvent } from './server-sent-events'

/** What a route returns; `schema` describes the value, or each line. */
export type RouteResponse =
  | { kind: 'json'; value: unknown; schema: core.$ZodType }
  /** A value that is JSON already: what grows with a request is serialised in parts, or in a worker thread. */
  | { kind: 'json-text'; text: string | Uint8Array<ArrayBuffer>; schema: core.$ZodType }
  | { kind: 'lines'; batches: AsyncIterable<readonly unknown[]>; schema: core.$ZodType }
  /** Events are sent as they come, uncompressed, until the client disconnects or they end. */
  | { kind: 'events'; open: () => Promise<AsyncIterable<ServerSentEvent>> }
  | { kind: 'bytes'; bytes: Uint8Array<ArrayBuffer>; mediaType: string }

export type SendOptions = {
  logger: Logger
  /** Parses every response by its schema before it is sent: for tests, so that the wire cannot drift from the contract. */
  validateResponses: boolean
}

/** Is told how large a response in one piece is before it is sent; throws where it may not be. */
export type HoldMemory = (bytes: number) => void

/** Encodes a response, compressed where the client accepts it. Lines are sent at the client's pace. */
export async function toHttpResponse(
  c: Context<HttpEnv>,
  response: RouteResponse,
  { logger, validateResponses }: SendOptions,
  holdMemory: HoldMemory = () => undefined,
): Promise<Response> {
  const acceptsGzip = acceptsEncoding(c.req.header('accept-encoding'), 'gzip')
  const headers = { 'cache-control': 'no-store', vary: 'accept-encoding' }
  const gzipped = { 'content-encoding': 'gzip' }
  const sendJson = async (text: string | Uint8Array<ArrayBuffer>) => {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
    const isCompressed = acceptsGzip && bytes.length >= minCompressBytes
    const body = isCompressed ? await compress(bytes) : bytes
    holdMemory(body.length)
    return c.body(body, 200, { ...headers, ...(isCompressed && gzipped), 'content-type': 'application/json' })
  }
  switch (response.kind) {
    case 'json': {
      if (validateResponses) parse(response.schema, response.value)
      return await sendJson(stringifyWithJsonText(response.value))
    }
    case 'json-text': {
      if (validateResponses) parse(response.schema, JSON.parse(Buffer.from(response.text).toString()))
      return await sendJson(response.text)
    }
    case 'lines': {
      const batches = validateResponses ? validateLines(response.batches, response.schema) : response.batches
      const { isEmpty, items } = await waitForFirst(encodeJsonLines(batches))
      const jsonl = { ...headers, 'content-type': 'application/jsonl' }
      if (isEmpty) return c.body('', 200, jsonl)
      const stream = toBodyStream(acceptsGzip ? compressStream(items) : items, (err) => {
        logger.error({ requestId: c.get('requestId'), err }, 'response stream failed')
      })
      return c.body(stream, 200, { ...jsonl, ...(acceptsGzip && gzipped) })
    }
    case 'events': {
      // nginx would wait for a buffer of events.
      const eventHeaders = { 'cache-control': 'no-store', 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }
      if (c.req.method === 'HEAD') return c.body(null, 200, eventHeaders)
      const stream = toBodyStream(encodeServerSentEvents(await response.open()), (err) => {
        logger.error({ requestId: c.get('requestId'), err }, 'event stream failed')
      })
      return c.body(stream, 200, eventHeaders)
    }
    case 'bytes':
      holdMemory(response.bytes.length)
      return c.body(response.bytes, 200, { ...headers, 'content-type': response.mediaType })
  }
}

async function* validateLines(batches: AsyncIterable<readonly unknown[]>, schema: core.$ZodType) {
  for await (const batch of batches) {
    for (const line of batch) parse(schema, line)
    yield batch
  }
}
