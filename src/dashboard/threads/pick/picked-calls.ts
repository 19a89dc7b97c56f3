const none: ReadonlySet<string> = new Set()

/** Ids of calls that belong to one owner, such as a project. Those of another one take their place. */
export class PickedCalls {
  private owner = ''
  private ids = none
  /** The one that was picked or dropped last: a range begins there. */
  private lastId = ''
  private readonly listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** The same set as long as nothing changes. */
  list(owner: string): ReadonlySet<string> {
    return owner === this.owner ? this.ids : none
  }

  toggle(owner: string, { listed, index, isRange }: { listed: readonly string[]; index: number; isRange: boolean }): void {
    const id = listed[index]
    if (id === undefined) return
    const before = this.list(owner)
    const from = isRange && before.size > 0 ? listed.indexOf(this.lastId) : -1
    const changed = from < 0 ? [id] : listed.slice(Math.min(from, index), Math.max(from, index) + 1)
    const isPicked = from < 0 ? !before.has(id) : before.has(this.lastId)
    const next = new Set(before)
    for (const each of changed) {
      if (isPicked) next.add(each)
      else next.delete(each)
    }
    this.owner = owner
    this.lastId = id
    this.set(next)
  }

  clear(): void {
    this.set(none)
  }

  private set(ids: ReadonlySet<string>): void {
    this.ids = ids
    for (const listener of this.listeners) listener()
  }
}
