import { LastValues } from '../lib/last-values'
import type { Store } from './store'

type Limit<Value> = { maxSize: number; toSize: (value: Value) => number }

/**
 * Remembers what was read from a table that is seldom written to, until the next write to it: 500 values, or as many as a limit allows.
 * Over a server, where other processes write too, nothing is remembered.
 */
export class TableCache<Value> {
  private readonly values: LastValues<{ value: Value }>

  constructor(
    private readonly store: Store,
    private readonly table: string,
    { maxSize, toSize }: Limit<Value> = { maxSize: 500, toSize: () => 1 },
  ) {
    this.values = new LastValues(maxSize, ({ value }) => toSize(value))
  }

  /** The value of each key. `load` reads those that are not remembered; it may read from this table alone. */
  async read(
    keys: readonly string[],
    load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ): Promise<ReadonlyMap<string, Value>> {
    const revision = this.store.revisionOf(this.table)
    if (revision === undefined) return await load(keys)
    const found = new Map<string, Value>()
    for (const key of keys) {
      const known = this.values.get(key, String(revision))
      if (known) found.set(key, known.value)
    }
    const missing = keys.filter((key) => !found.has(key))
    if (missing.length === 0) return found
    const loaded = await load(missing)
    // What was written meanwhile may be missing in what was read.
    const isCurrent = this.store.revisionOf(this.table) === revision
    for (const [key, value] of loaded) {
      found.set(key, value)
      if (isCurrent) this.values.set(key, String(revision), { value })
    }
    return found
  }
}
