/** A client that takes nothing for so long has left without saying so. */
const longestPauseMs = 60_000

/** Batches as bytes: one compact JSON value a line. */
export async function* encodeJsonLines(batches: AsyncIterable<readonly unknown[]>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const batch of batches) {
    if (batch.length > 0) yield encoder.encode(`${batch.map((line) => JSON.stringify(line)).join('\n')}\n`)
  }
}

/** Resolves when the first item is there, or the end, or throws what failed before it. */
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
 * A body that is read at the client's pace. What fails is told to `onFailure`; the client sees only that the connection
 * broke, because after the first byte no error could be told apart from data. So it does where the client stops reading.
 */
export function toBodyStream(
  chunks: AsyncIterable<Uint8Array>,
  onFailure: (error: unknown) => void,
  pauseMs = longestPauseMs,
): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  let hasLeft = false
  let pause: NodeJS.Timeout | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(pause)
        const giveUp = () => {
          hasLeft = true
          controller.error(new Error('The client stopped reading.'))
          iterator.return?.().catch(onFailure)
        }
        try {
          const { done, value } = await iterator.next()
          if (hasLeft) return
          if (done) controller.close()
          else {
            pause = setTimeout(giveUp, pauseMs).unref()
            controller.enqueue(value)
          }
        } catch (error) {
          if (hasLeft) return
          onFailure(error)
          controller.error(new Error('The answer broke off.'))
        }
      },
      // The request's signal is aborted as well, which ends a statement that is still running.
      async cancel() {
        hasLeft = true
        clearTimeout(pause)
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
