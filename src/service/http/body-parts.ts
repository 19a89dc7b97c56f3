import { joinBytes } from '../../contract/join-bytes'
import { blockBytes, type BlockPool } from './block-pool'
import { freeBuffer } from '../lib/free-buffer'

const partsPerMerge = 1024
/** A chunk costs about 200 bytes beside its content, so larger ones are not worth a copy. */
const minOwnPartBytes = 4096

/**
 * A body as the chunks in which it came. To join 32 MiB takes the event loop 15 ms and more, so only small bodies are joined
 * there, and large ones in a worker thread. Small chunks are merged as they come: a body in chunks of one byte each would
 * otherwise take 200 times its size. With a `pool`, large bodies are copied to its blocks, and their chunks are freed.
 */
export class BodyParts {
  private readonly merged: Uint8Array[] = []
  private recent: Uint8Array[] = []
  private recentBytes = 0
  private byteCount = 0
  private blocks: Uint8Array<ArrayBuffer>[] = []
  private lastBlockBytes = blockBytes
  private isReleased = false

  constructor(private readonly pool?: BlockPool) {}

  static of(...chunks: readonly Uint8Array[]): BodyParts {
    const parts = new BodyParts()
    for (const chunk of chunks) parts.add(chunk)
    return parts
  }

  get byteLength(): number {
    return this.byteCount
  }

  /** Takes the chunk over: do not use it afterwards. */
  add(chunk: Uint8Array): void {
    const { length } = chunk
    if (this.pool && this.byteCount + length > blockBytes) this.addToBlocks(chunk, this.pool)
    else this.keep(chunk)
    this.byteCount += length
  }

  /** In order. Do not change their bytes. */
  *[Symbol.iterator](): Generator<Uint8Array> {
    this.requireUnreleased()
    const last = this.blocks.length - 1
    for (const [index, block] of this.blocks.entries()) {
      // Whoever reads slowly must not get the bytes of the next body.
      this.requireUnreleased()
      yield index === last ? block.subarray(0, this.lastBlockBytes) : block
    }
    yield* this.merged
    yield* this.recent
  }

  join(): Uint8Array<ArrayBuffer> {
    return joinBytes([...this])
  }

  /** Gives the blocks back to the pool. */
  release(): void {
    if (this.blocks.length === 0) return
    this.isReleased = true
    this.pool?.give(this.blocks)
    this.blocks = []
  }

  private requireUnreleased(): void {
    if (this.isReleased) throw new Error('The body is used after its request has ended.')
  }

  private keep(chunk: Uint8Array): void {
    this.recent.push(chunk)
    this.recentBytes += chunk.length
    if (this.recent.length < partsPerMerge) return
    if (this.recentBytes < partsPerMerge * minOwnPartBytes) this.merged.push(joinBytes(this.recent))
    else this.merged.push(...this.recent)
    this.recent = []
    this.recentBytes = 0
  }

  private addToBlocks(chunk: Uint8Array, pool: BlockPool): void {
    const kept = this.blocks.length === 0 ? [...this] : []
    this.merged.length = 0
    this.recent = []
    for (const part of [...kept, chunk]) {
      for (let start = 0; start < part.length;) {
        if (this.lastBlockBytes === blockBytes) {
          this.blocks.push(pool.take())
          this.lastBlockBytes = 0
        }
        const piece = part.subarray(start, start + blockBytes - this.lastBlockBytes)
        this.blocks.at(-1)?.set(piece, this.lastBlockBytes)
        this.lastBlockBytes += piece.length
        start += piece.length
      }
      freeBuffer(part)
    }
  }
}
