import { joinBytes } from '../../contract/join-bytes'

const partsPerMerge = 1024
/** A chunk costs about 200 bytes beside its content, so larger ones are not worth a copy. */
const minOwnPartBytes = 4096

/**
 * A body as the chunks in which it came. To join 32 MiB takes the event loop 15 ms and more, so only small bodies are joined
 * there, and large ones in a worker thread. Small chunks are merged as they come: a body in chunks of one byte each would
 * otherwise take 200 times its size.
 */
export class BodyParts {
  private readonly merged: Uint8Array[] = []
  private recent: Uint8Array[] = []
  private recentBytes = 0
  private byteCount = 0

  static of(...chunks: readonly Uint8Array[]): BodyParts {
    const parts = new BodyParts()
    for (const chunk of chunks) parts.add(chunk)
    return parts
  }

  get byteLength(): number {
    return this.byteCount
  }

  add(chunk: Uint8Array): void {
    this.recent.push(chunk)
    this.recentBytes += chunk.length
    this.byteCount += chunk.length
    if (this.recent.length < partsPerMerge) return
    if (this.recentBytes < partsPerMerge * minOwnPartBytes) this.merged.push(joinBytes(this.recent))
    else this.merged.push(...this.recent)
    this.recent = []
    this.recentBytes = 0
  }

  /** In order. Do not change their bytes. */
  *[Symbol.iterator](): Generator<Uint8Array> {
    yield* this.merged
    yield* this.recent
  }

  join(): Uint8Array<ArrayBuffer> {
    return joinBytes([...this])
  }
}
