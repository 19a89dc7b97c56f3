import { createHash } from 'node:crypto'
import { formatInstant } from '../../contract/instant'
import type { RequestReader } from '../http/route'
import type { KeyedMutex } from '../lib/keyed-mutex'
import { toCompoundKey } from '../lib/compound-key'
import type { Store } from '../store/store'
import {
  type ItemRow,
  type ItemState,
  type ItemTime,
  OpenItemsRow,
  type QueueSettings,
  selectOpenItems,
  toMicroseconds,
} from './item-sql'

/** `items` are in the order of the queue. */
type OpenQueue = { settings: string; readAtMs: number; items: Map<string, ItemState> }

type Reading = { settings: string; changes: Map<string, ItemState | undefined>; isForgotten: boolean }

/** Calls are deleted without a word to this class, and copies of the service that share a server review too. */
const maxAgeMs = { alone: 60_000, shared: 5000 }
/** "There is no item for you now" is told only by what was read this recently. */
const maxAgeOfNoneMs = { alone: 1000, shared: 0 }
/** About 50 MB. */
const maxItems = 200_000

type ReviewedQueue = QueueSettings & { project_id: string }
type Deps = { store: Store; processClock: () => number; mutex: KeyedMutex }
type Found = { id: string | undefined; openCount: number }

/**
 * Which items of a queue are open, and to whom. The state of all items takes the engine a tenth of a second, so it is read once
 * and then follows the reviews of this process, which are all there are beside an embedded engine. Where copies of the service
 * share a server it only proposes: an item is read again before it is given away. An item that is open and missing here is found
 * when the rest is reviewed, because the state is then read anew.
 */
export class OpenItems {
  private readonly queues = new Map<string, OpenQueue>()
  /** What happened to items while the state of their queue was read, and whether it was forgotten meanwhile. */
  private readonly readings = new Map<string, Reading>()
  private readonly proposedTo = new Map<string, string>()

  constructor(private readonly deps: Deps) {}

  /**
   * The item that a person gets next, and how many are open to them: the one that they have, else the first that nobody has.
   * In later attempts people who ask at once get different ones. Until `release` it is proposed to nobody else.
   */
  async propose(
    queue: ReviewedQueue,
    { annotator, attempt }: { annotator: string; attempt: number },
    time: ItemTime,
    reader: RequestReader,
  ): Promise<Found> {
    const mode = this.deps.store.isShared ? 'shared' : 'alone'
    let found = this.choose(await this.read(queue, maxAgeMs[mode], time, reader), annotator, attempt, time)
    if (found.id === undefined) {
      found = this.choose(await this.read(queue, maxAgeOfNoneMs[mode], time, reader), annotator, attempt, time)
    }
    if (found.id !== undefined) this.proposedTo.set(found.id, annotator)
    return found
  }

  /** The state of an open item, where nobody but this process changes it. */
  find(queue: ReviewedQueue, itemId: string, { leasesFromUs }: ItemTime): ItemState | undefined {
    const known = this.queues.get(queue.id)
    if (this.deps.store.isShared || known?.settings !== toSettings(queue)) return undefined
    const state = known.items.get(itemId)
    if (!state || state.leases.length === 0) return state
    const leases = state.leases.filter(([, until]) => toMicroseconds(until) > leasesFromUs)
    const isUnstarted = leases.length === 0 && state.reviews.length === 0
    return { ...state, leases, annotation_state: isUnstarted ? 'unstarted' : state.annotation_state }
  }

  release(itemId: string): void {
    this.proposedTo.delete(itemId)
  }

  /**
   * The item is as in this row; undefined: it is gone. The state of an item depends on how its queue is reviewed: a request that
   * began before that was changed must not add its state to those of others.
   */
  update(queue: ReviewedQueue, itemId: string, row: ItemRow | undefined): void {
    const isOpen = row && row.annotation_state !== 'completed' && row.annotation_state !== 'skipped'
    const item = isOpen ? toItemState(row) : undefined
    const settings = toSettings(queue)
    const reading = this.readings.get(queue.id)
    const known = this.queues.get(queue.id)
    if ((reading && reading.settings !== settings) || (known && known.settings !== settings)) return this.forget(queue.id)
    reading?.changes.set(itemId, item)
    if (known) apply(known.items, itemId, item)
  }

  /** Calls were added. */
  forget(queueId: string): void {
    this.queues.delete(queueId)
    const reading = this.readings.get(queueId)
    if (reading) reading.isForgotten = true
  }

  private choose({ items }: OpenQueue, annotator: string, attempt: number, { leasesFromUs }: ItemTime): Found {
    let own: string | undefined
    let openCount = 0
    const free: string[] = []
    for (const [id, { reviews, leases }] of items) {
      if (reviews.some(([name, state]) => name === annotator && state !== 'in_progress')) continue
      openCount += 1
      const holders = leases.filter(([, until]) => toMicroseconds(until) > leasesFromUs).map(([name]) => name)
      const proposedTo = this.proposedTo.get(id)
      const isTaken = holders.some((name) => name !== annotator) || (proposedTo !== undefined && proposedTo !== annotator)
      if (isTaken) continue
      if (holders.length > 0) own ??= id
      if (attempt > 0 || free.length === 0) free.push(id)
    }
    return { id: own ?? free[toIndex(`${annotator} ${attempt}`, attempt === 0 ? 1 : free.length)], openCount }
  }

  private async read(queue: ReviewedQueue, maxQueueAgeMs: number, time: ItemTime, reader: RequestReader): Promise<OpenQueue> {
    const { mutex, processClock } = this.deps
    const settings = toSettings(queue)
    const findRecent = () => {
      const known = this.queues.get(queue.id)
      return known?.settings === settings && processClock() - known.readAtMs <= maxQueueAgeMs ? known : undefined
    }
    return (
      findRecent() ??
      (await mutex.run(
        toCompoundKey('open items', queue.id),
        async () => findRecent() ?? (await this.readAnew(queue, settings, time, reader)),
      ))
    )
  }

  private async readAnew(queue: ReviewedQueue, settings: string, time: ItemTime, reader: RequestReader): Promise<OpenQueue> {
    const reading: Reading = { settings, changes: new Map(), isForgotten: false }
    this.readings.set(queue.id, reading)
    try {
      const readAtMs = this.deps.processClock()
      const statement = selectOpenItems(queue.project_id, queue, time)
      const [row] = await this.deps.store.query(statement, OpenItemsRow, { ...reader, lane: 'write' })
      const untouched = toUntouched(queue)
      const items = new Map((row?.ids ?? []).map((id) => [id, untouched]))
      for (const [id, annotation_state, reviews, required_reviews, leases, changed_at] of row?.marked ?? []) {
        items.set(id, { annotation_state, reviews, required_reviews, leases, changed_at })
      }
      for (const [id, item] of reading.changes) apply(items, id, item)
      const open = { settings, readAtMs, items }
      if (!reading.isForgotten) this.remember(queue.id, open)
      return open
    } finally {
      this.readings.delete(queue.id)
    }
  }

  private remember(queueId: string, queue: OpenQueue): void {
    this.queues.delete(queueId)
    this.queues.set(queueId, queue)
    let itemCount = [...this.queues.values()].reduce((sum, { items }) => sum + items.size, 0)
    for (const [id, { items }] of this.queues) {
      if (itemCount <= maxItems || id === queueId) break
      this.queues.delete(id)
      itemCount -= items.size
    }
  }
}

/** An item that is not here was closed, or is new: the next reading has it in its place. */
function apply(items: Map<string, ItemState>, id: string, item: ItemState | undefined): void {
  if (item === undefined) items.delete(id)
  else if (items.has(id)) items.set(id, item)
}

function toItemState({ annotation_state, reviews, required_reviews, leases, updated_at: changedAt }: ItemRow): ItemState {
  return { annotation_state, reviews, required_reviews, leases, changed_at: changedAt }
}

function toUntouched({ reviews_per_item: required }: QueueSettings): ItemState {
  const changed_at = formatInstant(0n)
  return { annotation_state: 'unstarted', reviews: [], required_reviews: required, leases: [], changed_at }
}

function toSettings({ reviews_per_item: required, assignees }: QueueSettings): string {
  return JSON.stringify([required, assignees])
}

/** The same for the same text, and evenly spread. */
function toIndex(text: string, length: number): number {
  return length === 0 ? 0 : createHash('sha256').update(text).digest().readUInt32BE(0) % length
}
