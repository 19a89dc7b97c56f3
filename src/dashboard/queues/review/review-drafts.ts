import * as z from 'zod/mini'
import { type Owner, ownerKey } from '../../client/owner-key'
import { randomHex } from '../../client/random-hex'
import { storedValue } from '../../client/stored-value'

/**
 * What one person entered for one item, by scorer reference. `sent` has for each answer the id of its feedback, chosen before
 * it is sent: the same answer sent again is the same feedback. `isStored`: the service has it.
 */
export const ReviewDraft = z.object({
  entered: z.record(z.string(), z.unknown()),
  sent: z.record(z.string(), z.object({ id: z.string(), text: z.string(), isStored: z.boolean() })),
})
export type ReviewDraft = z.infer<typeof ReviewDraft>

const Kept = z.extend(ReviewDraft, { savedAt: z.number() })
const maxDrafts = 200

// Module state: a duplicated tab has the same session storage, but not this.
const pageId = randomHex(4)

/**
 * The drafts of a person for the items of a queue, on this device. Each page of the browser stores its own, so that two tabs
 * with the same item never overwrite each other's.
 */
export function reviewDrafts(
  owner: Owner,
  queueId: string,
  { now = Date.now, page = pageId }: { now?: () => number; page?: string } = {},
) {
  const prefix = 'spool.review-draft '
  const ownPrefix = `${prefix}${ownerKey(owner)} ${queueId} `
  /** The page that this tab showed before it was loaded again. */
  const lastPage = storedValue(z.string(), 'spool.review-page', 'tab')
  const at = (key: string) => storedValue(Kept, key, 'device')
  const keysOf = (start: string) => {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(start))
    } catch {
      // Storage is forbidden, so no draft is kept.
      return []
    }
  }
  const newestFirst = (keys: readonly string[]) => {
    const times = new Map(keys.map((key) => [key, at(key).read()?.savedAt ?? 0]))
    return keys.toSorted((left, right) => (times.get(right) ?? 0) - (times.get(left) ?? 0))
  }
  return {
    /** The draft of this tab, or else the newest of another. */
    read(itemId: string): ReviewDraft | undefined {
      const start = `${ownPrefix}${itemId} `
      const own = [page, lastPage.read() ?? ''].map((each) => start + each)
      for (const key of [...own, ...newestFirst(keysOf(start))]) {
        const draft = at(key).read()
        if (draft) return { entered: draft.entered, sent: draft.sent }
      }
      return undefined
    },
    write(itemId: string, draft: ReviewDraft): void {
      at(`${ownPrefix}${itemId} ${page}`).write({ ...draft, savedAt: now() })
      lastPage.write(page)
      const all = keysOf(prefix)
      if (all.length > maxDrafts) for (const key of newestFirst(all).slice(maxDrafts)) at(key).remove()
    },
    /** The item is decided: no tab has to go on with it. */
    remove(itemId: string): void {
      for (const key of keysOf(`${ownPrefix}${itemId} `)) at(key).remove()
    },
  }
}
export type ReviewDrafts = ReturnType<typeof reviewDrafts>
