import type { Line, LinePlace } from './lines'

/** Lines that follow one another, sent together. */
export type Chunk = {
  lines: readonly Line[]
  bytes: number
  /** Behind its last line. */
  end: LinePlace
}

/** Gathers lines up to a number and a size; a line larger than that goes alone. Ends early, and drops what it holds, when stopped. */
export async function* chunksOf(
  lines: AsyncIterable<Line>,
  most: { lines: number; bytes: number },
  stopping: AbortSignal,
): AsyncGenerator<Chunk> {
  let held: Line[] = []
  let bytes = 0
  const take = (): Chunk | undefined => {
    const last = held.at(-1)
    const chunk = last && { lines: held, bytes, end: { offset: last.end, lineNumber: last.number } }
    held = []
    bytes = 0
    return chunk
  }
  for await (const line of lines) {
    if (stopping.aborted) return
    const length = line.bytes?.length ?? 0
    if (held.length >= most.lines || bytes + length > most.bytes) {
      const chunk = take()
      if (chunk) yield chunk
    }
    held.push(line)
    bytes += length
  }
  const last = stopping.aborted ? undefined : take()
  if (last) yield last
}
