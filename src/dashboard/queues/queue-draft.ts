import * as z from 'zod/mini'
import { type Owner, ownerKey } from '../client/owner-key'
import { randomUuid } from '../client/random-hex'
import { storedValue } from '../client/stored-value'
import { isUsual, usualSettings } from './detail/review-settings'

/**
 * A queue that is not created yet. This device keeps it through close, reload and failure. Every attempt to send it has
 * the same `idempotencyKey`, so that a retry cannot create a second queue.
 */
export const QueueDraft = z.object({
  idempotencyKey: z.string(),
  name: z.string(),
  description: z.string(),
  scorer_refs: z.array(z.string()),
  reviews_per_item: z._default(z.number(), 1),
  assignees: z._default(z.array(z.string()), []),
})
export type QueueDraft = z.infer<typeof QueueDraft>

/** Times in milliseconds. Until `leasedUntil` no other tab takes the draft; its own tab renews that while it is open. */
const KeptDraft = z.extend(QueueDraft, { savedAt: z.number(), leasedUntil: z.number() })
type KeptDraft = z.infer<typeof KeptDraft>

// Browsers let the timers of a hidden tab run once a minute.
const leaseMs = 150_000
const renewMs = 20_000

// Module state: the draft of this page in each store. A duplicated tab has the same session storage, but not this.
const leasedHere = new Map<string, string>()
const renewed = new Set<string>()

/**
 * The drafts of a connection and project: one for each tab. Each is stored by itself, so that two tabs never overwrite each
 * other's. The draft of a closed tab is free: the next tab takes it.
 */
export function draftStore(owner: Owner, now: () => number = Date.now) {
  const prefix = `spool.queue-draft ${ownerKey(owner)} `
  const ownKey = storedValue(z.string(), prefix.trimEnd(), 'tab')
  const storedDraft = (key: string) => storedValue(KeptDraft, prefix + key, 'device')
  const listKept = () =>
    listStorageKeys()
      .filter((key) => key.startsWith(prefix))
      .flatMap((key) => storedDraft(key.slice(prefix.length)).read() ?? [])
      .toSorted((left, right) => right.savedAt - left.savedAt)
  const isFree = ({ idempotencyKey, leasedUntil }: KeptDraft) => leasedHere.get(prefix) === idempotencyKey || leasedUntil <= now()
  const setLease = (leasedUntil: number) => {
    const own = storedDraft(leasedHere.get(prefix) ?? '')
    const draft = own.read()
    if (draft) own.write({ ...draft, leasedUntil })
  }
  const markOwn = (draft: QueueDraft) => {
    ownKey.write(draft.idempotencyKey)
    leasedHere.set(prefix, draft.idempotencyKey)
  }
  return {
    /** The draft of this tab, or else the newest of those that closed tabs left. No other tab gets it while this one is open. */
    take(): QueueDraft | undefined {
      const free = listKept().filter(isFree)
      const draft = free.find(({ idempotencyKey }) => idempotencyKey === ownKey.read()) ?? free[0]
      if (!draft) return undefined
      markOwn(draft)
      setLease(now() + leaseMs)
      return draft
    },
    /**
     * Keeps the draft as that of this tab. The draft that it had before stays, free for any tab. Returns false where storage is
     * forbidden or full.
     */
    write(draft: QueueDraft): boolean {
      if (leasedHere.get(prefix) !== draft.idempotencyKey) setLease(0)
      markOwn(draft)
      const kept = storedDraft(draft.idempotencyKey)
      if (!isEmptyDraft(draft)) return kept.write({ ...draft, savedAt: now(), leasedUntil: now() + leaseMs })
      kept.remove()
      return true
    },
    remove: ({ idempotencyKey }: QueueDraft) => storedDraft(idempotencyKey).remove(),
    /** The drafts that closed tabs left, newest first. */
    listOthers: (): QueueDraft[] => listKept().filter((draft) => isFree(draft) && draft.idempotencyKey !== ownKey.read()),
    /** Keeps the draft for this tab until it closes, also while another page is open in it. */
    keepLease(): void {
      if (renewed.has(prefix)) return
      renewed.add(prefix)
      const renew = () => setLease(now() + leaseMs)
      setInterval(renew, renewMs)
      addEventListener('pagehide', () => setLease(0))
      // The tab comes back from the browser's cache of pages.
      addEventListener('pageshow', renew)
    },
  }
}

function listStorageKeys(): string[] {
  try {
    return Object.keys(localStorage)
  } catch {
    // Storage is forbidden, so no draft is kept.
    return []
  }
}

/** The content under a new idempotency key: sending it creates another queue. */
export function newDraft({ name = '', description = '', scorer_refs = [], ...review }: Partial<QueueDraft> = {}): QueueDraft {
  const { reviews_per_item, assignees } = { ...usualSettings, ...review }
  return { name, description, scorer_refs, reviews_per_item, assignees, idempotencyKey: randomUuid() }
}

/** What is sent of a draft: exactly W&B Weave's shape unless the person chose how the queue is reviewed. */
export function toRequest({ name, description, scorer_refs, reviews_per_item, assignees }: QueueDraft) {
  return {
    name: name.trim(),
    scorer_refs,
    description,
    ...(reviews_per_item !== usualSettings.reviews_per_item && { reviews_per_item }),
    ...(assignees.length > 0 && { assignees }),
  }
}

export function isEmptyDraft({ name, description, scorer_refs, ...review }: QueueDraft): boolean {
  return name === '' && description === '' && scorer_refs.length === 0 && isUsual(review)
}
