/** The last value of each name, as long as it was worked out for the same content. Forgets what was used longest ago. */
export class LastValues<Value> {
  private readonly entries = new Map<string, { contentKey: string; value: Value; size: number }>()
  private totalSize = 0

  constructor(
    private readonly maxSize: number,
    private readonly toSize: (value: Value) => number = () => 1,
  ) {}

  get(name: string, contentKey: string): Value | undefined {
    const entry = this.entries.get(name)
    if (!entry || entry.contentKey !== contentKey) return undefined
    this.entries.delete(name)
    this.entries.set(name, entry)
    return entry.value
  }

  set(name: string, contentKey: string, value: Value): Value {
    this.delete(name)
    const size = this.toSize(value)
    this.entries.set(name, { contentKey, value, size })
    this.totalSize += size
    for (const oldest of this.entries.keys()) {
      if (this.totalSize <= this.maxSize) break
      this.delete(oldest)
    }
    return value
  }

  private delete(name: string): void {
    this.totalSize -= this.entries.get(name)?.size ?? 0
    this.entries.delete(name)
  }
}
