type Writes = { activeCount: number; endedCount: number }

/** Counts the writes of this process to each table. */
export class TableRevisions {
  private readonly byTable = new Map<string, Writes>()
  /** Statements of which nobody knows what they write to. */
  private readonly other: Writes = { activeCount: 0, endedCount: 0 }

  /** See `Store.revisionOf`. */
  of(table: string): number | undefined {
    const own = this.byTable.get(table)
    if (this.other.activeCount > 0 || (own && own.activeCount > 0)) return undefined
    return this.other.endedCount + (own?.endedCount ?? 0)
  }

  /** Runs a write to this table, or to an unknown one. A write that failed counts too: some of its rows may be there. */
  async during<Result>(table: string | undefined, write: () => Promise<Result>): Promise<Result> {
    const writes = table === undefined ? this.other : this.writesTo(table)
    writes.activeCount += 1
    try {
      return await write()
    } finally {
      writes.activeCount -= 1
      writes.endedCount += 1
    }
  }

  private writesTo(table: string): Writes {
    const known = this.byTable.get(table)
    if (known) return known
    const writes = { activeCount: 0, endedCount: 0 }
    this.byTable.set(table, writes)
    return writes
  }
}
