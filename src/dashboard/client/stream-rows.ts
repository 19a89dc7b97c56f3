import type * as z from 'zod/mini'
import type { ClientEndpoint } from '../../contract/endpoint'
import { AbortedError, StreamInterruptedError, ResponseSchemaError } from './api-error'
import { type BrokenLine, LineReader } from './line-reader'
import { fetchResponse, type RequestOptions } from './fetch-response'

/** What arrived since the batch before: rows that fit, and lines that did not. */
export type RowBatch<Row> = { rows: Row[]; brokenLines: BrokenLine[] }

/** Long enough that drawing keeps up with any stream, short enough to look live (three frames). */
const batchMilliseconds = 50

/**
 * Calls an operation that answers with JSON lines and yields them in batches, the first one as soon as there is a row.
 * A plain JSON array or `{"threads": [...]}` is read too. A line that is not JSON or does not fit is reported in the
 * batch and the rest goes on. An answer that ends early throws `CutOffError` after what came; a return is a complete answer.
 */
export async function* streamRows<Request extends z.core.$ZodType, Line extends z.core.$ZodType>(
  endpoint: ClientEndpoint<Request, Line, true>,
  input: z.input<Request>,
  options: RequestOptions,
): AsyncGenerator<RowBatch<z.output<Line>>, void, void> {
  const request = { method: endpoint.method, path: endpoint.path }
  const response = await fetchResponse(endpoint, input, options)
  if (!response.body) return
  const bodyReader = response.body.getReader()
  const lines = new LineReader(endpoint.response, /\bapplication\/json\b/.test(response.headers.get('content-type') ?? ''))
  let lastYield = -Infinity
  try {
    let reading = read(bodyReader)
    for (;;) {
      const wait = lastYield + batchMilliseconds - performance.now()
      const next = lines.hasNews ? await Promise.race([reading, pause(wait)]) : await reading
      if (next?.done) break
      if (next) {
        lines.push(next.value)
        reading = read(bodyReader)
      }
      if (lines.hasNews && performance.now() - lastYield >= batchMilliseconds) {
        lastYield = performance.now()
        yield lines.take()
      }
    }
    const end = lines.finish()
    if (lines.hasNews) yield lines.take()
    if (end === 'cut') throw new StreamInterruptedError(request)
    if (end === 'misfit') throw new ResponseSchemaError(request, response.status, 'neither JSON lines nor a list.')
  } catch (cause) {
    if (options.signal?.aborted) throw new AbortedError(request, { cause })
    if (cause instanceof StreamInterruptedError || cause instanceof ResponseSchemaError) throw cause
    if (lines.hasNews) yield lines.take()
    throw new StreamInterruptedError(request, { cause })
  } finally {
    // Leaving early, by error or by `return()`, must also end the server's work.
    await bodyReader.cancel().catch(() => undefined)
  }
}

/** A chunk that fails while the consumer is busy with a batch is reported at the next turn, not as an unhandled rejection. */
function read(bodyReader: ReadableStreamDefaultReader<Uint8Array>) {
  const reading = bodyReader.read()
  reading.catch(() => undefined)
  return reading
}

function pause(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, milliseconds))
  })
}
