import { stringifyWithJsonText } from '../lib/json-text'
import { TimeSlices } from '../lib/time-slices'

/** A client that reads nothing for this long is taken to be gone. */
const defaultIdleTimeoutMs = 60_000

/** So many characters are encoded and sent at once, of a batch of any size. */
const maxChunkCharacters = 256 * 1024

/** Encodes batches: one compact JSON value per line. */
export async function* encodeJsonLines(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const slices = new TimeSlices()
  for await (const batch of batches) {
    let chunk = ''
    for (const line of batch) {
      chunk += `${stringifyWithJsonText(line)}\n`
      if (slices.isOver) await slices.next()
      if (chunk.length < maxChunkCharacters) continue
      yield encoder.encode(chunk)
      chunk = ''
    }
    if (chunk !== '') yield encoder.encode(chunk)
  }
}

/** Waits for the first item or the end, so that an early error can still become an error response. `items` has all items. */
export async function waitForFirst<T>(source: AsyncIterable<T>): Promise<{ isEmpty: boolean; items: AsyncIterable<T> }> {
  const iterator = source[Symbol.asyncIterator]()
  const first = await iterator.next()
  async function* items() {
    try {
      if (!first.done) yield first.value
      yield* { [Symbol.asyncIterator]: () => iterator }
    } finally {
      await iterator.return?.()
    }
  }
  return { isEmpty: first.done === true, items: items() }
}

/**
 * A response body that is produced at the client's pace. After the first byte an error cannot be told apart from data, so
 * a failure goes to `onFailure` and breaks the connection. A client that stops reading for `idleTimeoutMs` is disconnected.
 */
export function toBodyStream(
  chunks: AsyncIterable<Uint8Array>,
  onFailure: (error: unknown) => void,
  idleTimeoutMs = defaultIdleTimeoutMs,
): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  let isClosed = false
  let idleTimer: NodeJS.Timeout | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(idleTimer)
        const disconnect = () => {
          isClosed = true
          controller.error(new Error('The client stopped reading.'))
          iterator.return?.().catch(onFailure)
        }
        try {
          const { done, value } = await iterator.next()
          if (isClosed) return
          if (done) controller.close()
          else {
            idleTimer = setTimeout(disconnect, idleTimeoutMs).unref()
            controller.enqueue(value)
          }
        } catch (error) {
          if (isClosed) return
          onFailure(error)
          controller.error(new Error('The response was interrupted.'))
        }
      },
      // The request's signal is aborted as well, which stops a statement that is still running.
      async cancel() {
        isClosed = true
        clearTimeout(idleTimer)
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
