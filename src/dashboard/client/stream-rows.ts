import type * as z from 'zod/mini'
import type { ClientEndpoint } from '../../contract/endpoint'
import { AbortedError, StreamInterruptedError, ResponseSchemaError } from './api-error'
import { LineReader } from './line-reader'
import { type BrokenLine, maxRowsRead } from './parse-rows'
import { pause } from './pause'
import { fetchResponse, type RequestOptions } from './fetch-response'

/** The valid rows and the unreadable lines since the previous batch. */
export type RowBatch<Row> = { rows: Row[]; brokenLines: BrokenLine[]; isTruncated?: boolean }

/** Three frames: rendering keeps up with any stream, and the rows still look live. */
const batchMs = 50
/** A piece that is parsed in a few milliseconds, also on a slow device. */
const maxPieceBytes = 65_536

/**
 * Requests an operation that responds with JSON lines, and yields them in batches; the first batch as soon as one row is
 * there. A JSON array or `{"threads": [...]}` is read too. A line that is not JSON or does not fit the schema is reported in
 * its batch. A response that ends early throws `StreamInterruptedError` after its last rows. After `maxRows` rows it stops.
 */
export async function* streamRows<Request extends z.core.$ZodType, Line extends z.core.$ZodType>(
  endpoint: ClientEndpoint<Request, Line, true>,
  input: z.input<Request>,
  options: RequestOptions & { maxRows?: number },
): AsyncGenerator<RowBatch<z.output<Line>>, void, void> {
  const request = { method: endpoint.method, path: endpoint.path }
  const response = await fetchResponse(endpoint, input, options)
  if (!response.body) return
  const bodyReader = response.body.getReader()
  const lines = new LineReader(endpoint.response, /\bapplication\/json\b/.test(response.headers.get('content-type') ?? ''))
  let lastYield = -Infinity
  let wasDue = false
  let readCount = 0
  const take = () => {
    const batch = lines.take()
    readCount += batch.rows.length + batch.brokenLines.length
    return readCount < (options.maxRows ?? maxRowsRead) ? batch : { ...batch, isTruncated: true }
  }
  try {
    let reading = read(bodyReader)
    for (;;) {
      const waitMs = lastYield + batchMs - performance.now()
      const next = lines.hasOutput ? await Promise.race([reading, pause(waitMs)]) : await reading
      if (next?.done) break
      if (next) {
        for (let start = 0; start < next.value.length; start += maxPieceBytes) {
          // A server that is fast enough would leave the page no time between two pieces.
          if (start > 0) await pause(0)
          lines.push(next.value.subarray(start, start + maxPieceBytes))
        }
        reading = read(bodyReader)
      }
      const isDue = lines.hasOutput && performance.now() - lastYield >= batchMs
      // A short response ends in the next turn: its rows and its end are then one change on screen.
      const isNext: boolean = isDue && (wasDue || !next)
      wasDue = isDue && !isNext
      if (isNext) {
        const batch = take()
        yield batch
        if ('isTruncated' in batch) return
        await pause(0)
        lastYield = performance.now()
      }
    }
    const end = lines.finish()
    if (lines.hasOutput) yield take()
    if (end === 'interrupted') throw new StreamInterruptedError(request)
    if (end === 'unreadable') throw new ResponseSchemaError(request, response.status, 'it is not JSON.')
  } catch (cause) {
    if (options.signal?.aborted) throw new AbortedError(request, { cause })
    if (cause instanceof StreamInterruptedError || cause instanceof ResponseSchemaError) throw cause
    if (lines.hasOutput) yield lines.take()
    throw new StreamInterruptedError(request, { cause })
  } finally {
    // After an error or an early `return()` the server must stop sending.
    await bodyReader.cancel().catch(() => undefined)
  }
}

/** A chunk may fail while the consumer handles a batch: the loop reports it later, so it is no unhandled rejection. */
function read(bodyReader: ReadableStreamDefaultReader<Uint8Array>) {
  const reading = bodyReader.read()
  reading.catch(() => undefined)
  return reading
}
