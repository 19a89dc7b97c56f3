import { randomHex } from '../../client/random-hex'

type Message = readonly [tab: string, itemIds: readonly string[]]

/**
 * Tells the other tabs of a person which items this one has open, and knows theirs: what another tab shows must not be given
 * back when this one is closed. A tab that crashed is never forgotten: then a lease ends by itself.
 */
export function otherTabs(name: string) {
  const ownTab = randomHex(4)
  const openByTab = new Map<string, readonly string[]>()
  let own: readonly string[] = []
  let channel: BroadcastChannel | undefined
  const send = () => {
    const message: Message = [ownTab, own]
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches its own origin only
    channel?.postMessage(message)
  }
  return {
    /** Returns how to leave. */
    join(): () => void {
      const joined = new BroadcastChannel(name)
      joined.addEventListener('message', ({ data: [tab, itemIds] }: MessageEvent<Message>) => {
        const isNew = !openByTab.has(tab)
        openByTab.set(tab, itemIds)
        if (isNew) send()
      })
      channel = joined
      send()
      return () => joined.close()
    },
    /** What this tab has open now. */
    tell(itemIds: readonly string[]): void {
      if (String(itemIds) === String(own)) return
      own = itemIds
      send()
    },
    show: (itemId: string): boolean => [...openByTab.values()].some((itemIds) => itemIds.includes(itemId)),
  }
}
export type OtherTabs = ReturnType<typeof otherTabs>
