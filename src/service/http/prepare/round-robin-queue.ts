/** Items of several users, taken in turns: one of each user, first come first served within a user. */
export class RoundRobinQueue<Item> {
  /** In the order of whose turn is next. */
  private readonly byUser = new Map<string, Item[]>()

  add(username: string, item: Item): void {
    const items = this.byUser.get(username)
    if (items) items.push(item)
    else this.byUser.set(username, [item])
  }

  countOf(username: string): number {
    return this.byUser.get(username)?.length ?? 0
  }

  /** Takes the first item of the first user who may have a turn. */
  take(mayHaveTurn: (username: string) => boolean): { username: string; item: Item } | undefined {
    for (const [username, items] of this.byUser) {
      if (!mayHaveTurn(username)) continue
      const [item, ...rest] = items
      this.byUser.delete(username)
      if (rest.length > 0) this.byUser.set(username, rest)
      if (item !== undefined) return { username, item }
    }
    return undefined
  }

  /** Whether the item was there. */
  remove(username: string, item: Item): boolean {
    const items = this.byUser.get(username)
    const index = items?.indexOf(item) ?? -1
    if (!items || index < 0) return false
    items.splice(index, 1)
    if (items.length === 0) this.byUser.delete(username)
    return true
  }

  takeAll(): Item[] {
    const items = [...this.byUser.values()].flat()
    this.byUser.clear()
    return items
  }
}
