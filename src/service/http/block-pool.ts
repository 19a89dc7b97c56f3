import { freeBuffer } from '../lib/free-buffer'

export const blockBytes = 64 * 1024
const defaultIdleMs = 10_000

/**
 * Blocks of 64 KiB for large bodies, used again and again: new memory for each body costs the event loop more than reading it.
 * A block that nobody needed for ten to twenty seconds is given back to the system. Blocks keep the bytes of their last body.
 */
export class BlockPool {
  private readonly free: Uint8Array<ArrayBuffer>[] = []
  /** The fewest free blocks since the last look: so many are not needed. */
  private minFree = 0
  private timer: NodeJS.Timeout | undefined

  constructor(private readonly idleMs = defaultIdleMs) {}

  get freeBlocks(): number {
    return this.free.length
  }

  take(): Uint8Array<ArrayBuffer> {
    const block = this.free.pop()
    this.minFree = Math.min(this.minFree, this.free.length)
    return block ?? new Uint8Array(blockBytes)
  }

  give(blocks: readonly Uint8Array<ArrayBuffer>[]): void {
    this.free.push(...blocks)
    if (this.free.length > 0) this.timer ??= setTimeout(() => this.shrink(), this.idleMs).unref()
  }

  private shrink(): void {
    for (const block of this.free.splice(0, this.minFree)) freeBuffer(block)
    this.minFree = this.free.length
    this.timer = this.free.length > 0 ? setTimeout(() => this.shrink(), this.idleMs).unref() : undefined
  }
}
