/**
 * Memory that owners share. An owner may hold as much as remains free for the others: one alone half of it, two a third
 * each, and the next one always finds some. Switches share their buffers by the same rule, "dynamic threshold"
 * (Choudhury and Hahne, IEEE/ACM Transactions on Networking 6.2, 1998). Equal fixed shares would leave most memory unused.
 */
export class MemoryPool {
  private usedBytes = 0
  private readonly bytesByOwner = new Map<string, number>()

  constructor(private readonly limitBytes: number) {}

  tryReserve(owner: string, bytes: number): boolean {
    const ownBytes = (this.bytesByOwner.get(owner) ?? 0) + bytes
    if (ownBytes > this.limitBytes - this.usedBytes - bytes) return false
    this.usedBytes += bytes
    this.bytesByOwner.set(owner, ownBytes)
    return true
  }

  release(owner: string, bytes: number): void {
    const ownBytes = (this.bytesByOwner.get(owner) ?? 0) - bytes
    this.usedBytes -= bytes
    if (ownBytes > 0) this.bytesByOwner.set(owner, ownBytes)
    else this.bytesByOwner.delete(owner)
  }
}
