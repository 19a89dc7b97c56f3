import * as z from 'zod/mini'
import { formatInstant } from '../../contract/instant'
import { type AnnotationState, leaseMinutes } from '../../contract/queue-items'
import { HttpError } from '../http/http-error'
import type { RequestReader } from '../http/route'
import { toCompoundKey } from '../lib/compound-key'
import { GrowingClock } from '../lib/growing-clock'
import type { KeyedMutex } from '../lib/keyed-mutex'
import { createSteadyClock } from '../lib/steady-clock'
import { count } from '../store/row-types'
import { sql } from '../store/sql'
import type { Store } from '../store/store'
import { findDisagreement } from './find-disagreement'
import { type ItemRow, type ItemTime, toMicroseconds } from './item-sql'
import { findItem, insertMark, type Mark, refreshItem } from './item-store'
import { OpenItems } from './open-items'
import type { StoredQueue } from './queue-store'
import type { ReadRefs } from './read-specs'

const leaseUs = leaseMinutes * 60_000_000

/** The clocks of copies of the service that share a server may differ by this much, the time of an insert included. */
const clockDifferenceUs = 60_000_000

/** So often somebody else may have been faster. */
const maxAttempts = 8

type Deps = {
  store: Store
  /** Milliseconds since 1970. */
  clock: () => number
  /** Milliseconds of the process, which nobody sets. */
  processClock: () => number
  mutex: KeyedMutex
  readRefs: ReadRefs
}

type Reviewer = { queue: StoredQueue; annotator: string; reader: RequestReader }

const NewestRow = z.object({ newest_us: count })

/**
 * Who has which item, and what they did with it. All of it is in the store, so leases outlast the process.
 *
 * A review belongs to who holds the item. Within a process requests for one item run one after the other. Copies of the
 * service over one ClickHouse server agree without a lock: who wants an item adds a row that claims it, then reads the item
 * again, and has it only if no claim of somebody else is there. An insert is visible to every query that begins after it, so
 * of two who claim at once at least the later reader sees the other claim: both may lose and try another item, but never do
 * both win. That holds for one server, and for replicas only if they are read and written through one of them. A lease of
 * somebody else counts for a minute more there than its holder was told, because clocks differ.
 */
export class ItemReviews {
  private starting: Promise<GrowingClock> | undefined

  private readonly open: OpenItems

  constructor(private readonly deps: Deps) {
    this.open = new OpenItems(deps)
  }

  /** Leases the next item; without an item there is none for this person now. */
  async next(reviewer: Reviewer): Promise<{ item: ItemRow | undefined; openCount: number }> {
    const { queue, annotator, reader } = reviewer
    // Of two requests of one person at once the second gets the item of the first.
    return await this.deps.mutex.run(toCompoundKey('next item', queue.id, annotator), async () => {
      let openCount = 0
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const found = await this.open.propose(queue, { annotator, attempt }, await this.now(), reader)
        openCount = found.openCount
        const { id } = found
        if (id === undefined) break
        try {
          const item = await this.deps.mutex.run(id, () => this.leaseOpen(reviewer, id))
          if (item) return { item, openCount }
        } finally {
          this.open.release(id)
        }
      }
      return { item: undefined, openCount }
    })
  }

  /**
   * Leases this item, or renews the lease. With `undoesSkip` a skip of this person is taken back before. Throws 404, and 409
   * where the item is not open to this person.
   */
  async lease(reviewer: Reviewer, itemId: string, { undoesSkip = false } = {}): Promise<ItemRow> {
    const { queue, annotator, reader } = reviewer
    return await this.deps.mutex.run(itemId, async () => {
      const item = await this.requireItem(queue, itemId, reader)
      const isHeld = isHeldBy(item, annotator, await this.now())
      requireOpen(item, annotator, isHeld)
      const own = findOwnState(item, annotator)
      const isUndone = own === 'skipped' && undoesSkip
      if (!isUndone && (own === 'completed' || own === 'skipped')) {
        throw conflict(`You have ${own} this item already.`, 'already_reviewed')
      }
      const open = isUndone ? await this.undoSkip(item, reviewer) : item
      return (await this.acquire(open, reviewer, isHeld)) ?? throwTaken()
    })
  }

  /** Marks an item. Throws 404, and 409 where the state cannot follow or the item is not open to this person. */
  async mark(reviewer: Reviewer, itemId: string, state: AnnotationState): Promise<ItemRow> {
    const { queue, annotator, reader } = reviewer
    return await this.deps.mutex.run(itemId, async () => {
      const { store } = this.deps
      const item = await this.requireItem(queue, itemId, reader)
      const current = findOwnState(item, annotator)
      if (state === current) return item
      if (!isMark(state) || !nextStates[current].includes(state)) throw wrongMove(current, state)
      const isHeld = isHeldBy(item, annotator, await this.now())
      requireOpen(item, annotator, isHeld)
      if (store.isShared && !isHeld && !(await this.acquire(item, reviewer, false))) throwTaken()
      const isComplete = state === 'completed'
      const disagreedAt = isComplete ? await findDisagreement(this.deps, { queue, item, annotator }, reader) : 0
      const markedAtUs = (await this.now()).nowUs
      const leaseExpiresAtUs = state === 'in_progress' ? markedAtUs + leaseUs : 0
      await this.insert(item, { state, annotator, markedAtUs, leaseExpiresAtUs, disagreedAt }, reviewer)
      const marked = await refreshItem(store, queue, item, await this.now(), { ...reader, lane: 'write' })
      this.open.update(queue, itemId, marked)
      return marked
    })
  }

  /** Ends the lease of this person; without one nothing changes. Throws 404, and 409 where somebody else has the item. */
  async release(reviewer: Reviewer, itemId: string): Promise<ItemRow> {
    const { queue, annotator, reader } = reviewer
    return await this.deps.mutex.run(itemId, async () => {
      const item = await this.requireItem(queue, itemId, reader)
      const time = await this.now()
      if (!isHeldBy(item, annotator, time)) {
        if (!hasOther(item, annotator)) return item
        throw conflict('Somebody else has this item, and nobody but them can give it back.', 'item_leased')
      }
      await this.insert(item, { state: 'released', annotator, markedAtUs: time.nowUs }, reviewer)
      const released = await refreshItem(this.deps.store, queue, item, await this.now(), { ...reader, lane: 'write' })
      this.open.update(queue, itemId, released)
      return released
    })
  }

  /** Calls were added to the queue. */
  forgetOpenItems(queueId: string): void {
    this.open.forget(queueId)
  }

  /** Now, for reading items. Times grow, also over a restart. */
  async now(): Promise<ItemTime> {
    this.starting ??= this.startClock().catch((error: unknown) => {
      this.starting = undefined
      throw error
    })
    const nowUs = (await this.starting).next()
    return { nowUs, leasesFromUs: this.deps.store.isShared ? nowUs - clockDifferenceUs : nowUs }
  }

  private async startClock(): Promise<GrowingClock> {
    const { store, clock, processClock } = this.deps
    const statement = sql`SELECT toUnixTimestamp64Micro(max(marked_at)) AS newest_us FROM queue_marks`
    const [row] = await store.query(statement, NewestRow, { lane: 'write' })
    const newestUs = row?.newest_us ?? 0
    return new GrowingClock(createSteadyClock(clock, processClock, Math.ceil(newestUs / 1000)), newestUs)
  }

  /** Leases an item that may be open to this person; undefined where it is not. */
  private async leaseOpen(reviewer: Reviewer, itemId: string): Promise<ItemRow | undefined> {
    const { queue, annotator, reader } = reviewer
    const item = await this.findItem(queue, itemId, reader)
    if (!item || item.annotation_state === 'completed' || item.annotation_state === 'skipped') return undefined
    const own = findOwnState(item, annotator)
    if (own === 'completed' || own === 'skipped') return undefined
    const isHeld = isHeldBy(item, annotator, await this.now())
    return isHeld || !hasOther(item, annotator) ? await this.acquire(item, reviewer, isHeld) : undefined
  }

  private async findItem(queue: StoredQueue, itemId: string, reader: RequestReader): Promise<ItemRow | undefined> {
    const time = await this.now()
    const known = this.open.find(queue, itemId, time)
    const item = await findItem(this.deps.store, queue, itemId, { time, known }, { ...reader, lane: 'write' })
    this.open.update(queue, itemId, item)
    return item
  }

  private async requireItem(queue: StoredQueue, itemId: string, reader: RequestReader): Promise<ItemRow> {
    const item = await this.findItem(queue, itemId, reader)
    if (item) return item
    throw new HttpError('not_found', { loc: ['path', 'item_id'], msg: 'This queue has no such item.', type: 'not_found' })
  }

  /** The item without the skip of this person. This comes before the lease, which does not count for somebody who skipped the item. */
  private async undoSkip(item: ItemRow, reviewer: Reviewer): Promise<ItemRow> {
    const { queue, annotator, reader } = reviewer
    await this.insert(item, { state: 'resumed', annotator, markedAtUs: (await this.now()).nowUs }, reviewer)
    // The skip may have closed the item, and closed ones are not among those that are known.
    this.open.forget(queue.id)
    return await refreshItem(this.deps.store, queue, item, await this.now(), { ...reader, lane: 'write' })
  }

  /** The item with the lease; undefined where somebody else was faster. */
  private async acquire(item: ItemRow, reviewer: Reviewer, isHeld: boolean): Promise<ItemRow | undefined> {
    const { queue, annotator, reader } = reviewer
    const { store } = this.deps
    const { nowUs } = await this.now()
    const expiresAtUs = nowUs + leaseUs
    await this.insert(item, { state: 'leased', annotator, markedAtUs: nowUs, leaseExpiresAtUs: expiresAtUs }, reviewer)
    const expiresAt = formatInstant(BigInt(expiresAtUs))
    if (!store.isShared) {
      const state = item.annotation_state === 'unstarted' ? 'in_progress' : item.annotation_state
      const leased: ItemRow = { ...item, annotation_state: state, leases: [[annotator, expiresAt]] }
      this.open.update(queue, item.id, leased)
      return leased
    }
    const claimed = await refreshItem(store, queue, item, await this.now(), { ...reader, lane: 'write' })
    this.open.update(queue, item.id, claimed)
    if ((isHeld || !hasOther(claimed, annotator)) && claimed.annotation_state !== 'completed') return claimed
    await this.insert(item, { state: 'released', annotator, markedAtUs: (await this.now()).nowUs }, reviewer)
    return undefined
  }

  private async insert(item: ItemRow, mark: Mark, { queue, reader }: Reviewer): Promise<void> {
    try {
      await insertMark(this.deps.store, item, mark, reader)
    } catch (error) {
      // It may have been stored all the same.
      this.open.forget(queue.id)
      throw error
    }
  }
}

const nextStates: Record<AnnotationState, readonly AnnotationState[]> = {
  unstarted: ['in_progress', 'completed', 'skipped'],
  in_progress: ['completed', 'skipped'],
  completed: [],
  skipped: [],
}

function isMark(state: AnnotationState): state is Exclude<AnnotationState, 'unstarted'> {
  return state !== 'unstarted'
}

function findOwnState({ reviews }: ItemRow, annotator: string): AnnotationState {
  return reviews.find(([name]) => name === annotator)?.[1] ?? 'unstarted'
}

function hasOther({ leases }: ItemRow, annotator: string): boolean {
  return leases.some(([name]) => name !== annotator)
}

/** By their own clock, on which nobody else's lease begins before this one ends. */
function isHeldBy({ leases }: ItemRow, annotator: string, { nowUs }: ItemTime): boolean {
  return leases.some(([name, expiresAt]) => name === annotator && toMicroseconds(expiresAt) > nowUs)
}

/**
 * Throws 409 where the item needs no more reviews, or somebody else has it. A lease beside that of the holder is the claim of
 * somebody at another copy of the service who is about to withdraw it.
 */
function requireOpen(item: ItemRow, annotator: string, isHeld: boolean): void {
  if (item.annotation_state === 'completed') {
    throw conflict('This item has all the reviews that it needs. Ask for the next one.', 'item_completed')
  }
  const other = item.leases.find(([name]) => name !== annotator)
  if (other && !isHeld)
    throw conflict(`${other[0]} is reviewing this item, until ${other[1]} at the latest. Ask for the next one.`, 'item_leased')
}

function throwTaken(): never {
  throw conflict('Somebody else has begun to review this item just now. Ask for the next one.', 'item_leased')
}

function wrongMove(current: AnnotationState, state: AnnotationState): HttpError {
  const allowed = nextStates[current].join(' or ')
  const advice = allowed === '' ? 'An answer can still be corrected by /feedback/create.' : `It may become ${allowed}.`
  return conflict(`For you this item is ${current}, which cannot become ${state}. ${advice}`, 'wrong_state', [
    'body',
    'annotation_state',
  ])
}

function conflict(msg: string, type: string, loc = ['path', 'item_id']): HttpError {
  return new HttpError('conflict', { loc, msg, type })
}
