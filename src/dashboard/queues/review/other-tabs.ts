import { randomHex } from '../../client/random-hex'

type Message = { tab: string; itemIds: readonly string[] }

/**
 * Tells the other tabs of a person which items this one has open, and knows theirs: what another tab shows must not be given
 * back when this one is closed. A tab that crashed is never forgotten: then a lease ends by itself.
 */
export class OtherTabs {
  private readonly tab = randomHex(4)
  private readonly openByTab = new Map<string, readonly string[]>()
  private own: readonly string[] = []
  private channel: BroadcastChannel | undefined

  constructor(private readonly name: string) {}

  /** Returns how to leave. */
  join(): () => void {
    const channel = new BroadcastChannel(this.name)
    channel.addEventListener('message', ({ data: { tab, itemIds } }: MessageEvent<Message>) => {
      const isNew = !this.openByTab.has(tab)
      this.openByTab.set(tab, itemIds)
      if (isNew) this.send()
    })
    this.channel = channel
    this.send()
    return () => channel.close()
  }

  /** What this tab has open now. */
  tell(itemIds: readonly string[]): void {
    if (String(itemIds) === String(this.own)) return
    this.own = itemIds
    this.send()
  }

  show(itemId: string): boolean {
    return [...this.openByTab.values()].some((itemIds) => itemIds.includes(itemId))
  }

  private send(): void {
    const message: Message = { tab: this.tab, itemIds: this.own }
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches its own origin only
    this.channel?.postMessage(message)
  }
}
