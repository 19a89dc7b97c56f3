import type { ExportCounts, ExportedThread, ThreadPart, ThreadWriter } from './thread-content'

/** Long enough for few pieces, short enough to be shown as progress and encoded within a frame or two. */
const pieceLength = 524_288

/** The text of the file, in pieces. `counts` is written last: only then it is known what could not be read. */
export async function* writeThread(
  writer: ThreadWriter,
  thread: ExportedThread,
  parts: AsyncIterable<ThreadPart>,
  counts: ExportCounts,
): AsyncGenerator<string> {
  let texts = writer.begin(thread)
  let length = 0
  const add = (more: readonly string[]) => {
    for (const text of more) {
      texts.push(text)
      length += text.length
    }
  }
  for await (const part of parts) {
    add(part.kind === 'turn' ? writer.turn(part.turn, part.number) : writer.call(part.call))
    if (length < pieceLength && part.kind === 'call') continue
    yield texts.join('')
    texts = []
    length = 0
  }
  add(writer.end(counts))
  yield texts.join('')
}
