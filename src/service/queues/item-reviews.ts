import * as z from 'zod/mini'
import { formatInstant } from '../../contract/instant'
import { type AnnotationState, leaseMinutes } from '../../contract/queue-items'
import { HttpError } from '../http/http-error'
import type { RequestReader } from '../http/route'
import { GrowingClock } from '../lib/growing-clock'
import type { KeyedMutex } from '../lib/keyed-mutex'
import { createSteadyClock } from '../lib/steady-clock'
import { count } from '../store/row-types'
import { sql } from '../store/sql'
import type { Store } from '../store/store'
import { findDisagreement } from './find-disagreement'
import { type ItemRow, type ItemTime, toMicroseconds } from './item-sql'
import { findCandidate, findItem, insertMark, refreshItem } from './item-store'
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
 * A review belongs to who holds the item. Within a process requests for one queue run one after the other. Copies of the
 * service over one ClickHouse server agree without a lock: who wants an item adds a row that claims it, then reads the item
 * again, and has it only if no claim of somebody else is there. An insert is visible to every query that begins after it, so
 * of two who claim at once at least the later reader sees the other claim: both may lose and try another item, but never do
 * both win. That holds for one server, and for replicas only if they are read and written through one of them. A lease of
 * somebody else counts for a minute more there than its holder was told, because clocks differ.
 */
export class ItemReviews {
  private starting: Promise<GrowingClock> | undefined

  constructor(private readonly deps: Deps) {}

  /** Leases the next item; without an item there is none for this person now. */
  async next({ queue, annotator, reader }: Reviewer): Promise<{ item: ItemRow | undefined; openCount: number }> {
    return await this.deps.mutex.run(queue.id, async () => {
      const { store } = this.deps
      const options = { ...reader, lane: 'write' } as const
      let openCount = 0
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const salt = attempt === 0 ? '' : `${annotator} ${attempt}`
        const found = await findCandidate(store, queue, { annotator, salt }, await this.now(), options)
        openCount = found?.open_count ?? 0
        if (!found || found.is_taken) break
        const item = await findItem(store, queue, found.id, await this.now(), options)
        const leased = item && (await this.acquire(item, { queue, annotator, reader }))
        if (leased) return { item: leased, openCount }
      }
      return { item: undefined, openCount }
    })
  }

  /** Leases this item, or renews the lease. Throws 404, and 409 where it is not open to this person. */
  async lease({ queue, annotator, reader }: Reviewer, itemId: string): Promise<ItemRow> {
    return await this.deps.mutex.run(queue.id, async () => {
      const item = await this.requireItem(queue, itemId, reader)
      requireOpen(item, annotator)
      const own = item.reviews.find(([name]) => name === annotator)?.[1]
      if (own === 'completed' || own === 'skipped') throw conflict(`You have ${own} this item already.`, 'already_reviewed')
      return (await this.acquire(item, { queue, annotator, reader })) ?? throwTaken()
    })
  }

  /** Marks an item. Throws 404, and 409 where the state cannot follow or the item is not open to this person. */
  async mark({ queue, annotator, reader }: Reviewer, itemId: string, state: AnnotationState): Promise<ItemRow> {
    return await this.deps.mutex.run(queue.id, async () => {
      const { store } = this.deps
      const item = await this.requireItem(queue, itemId, reader)
      const current = item.reviews.find(([name]) => name === annotator)?.[1] ?? 'unstarted'
      if (state === current) return item
      if (!isMark(state) || !nextStates[current].includes(state)) throw wrongMove(current, state)
      requireOpen(item, annotator)
      const { nowUs } = await this.now()
      const isHeld = item.leases.some(([name, expiresAt]) => name === annotator && toMicroseconds(expiresAt) > nowUs)
      if (store.isShared && !isHeld && !(await this.acquire(item, { queue, annotator, reader }))) throwTaken()
      const isComplete = state === 'completed'
      const disagreedAt = isComplete ? await findDisagreement(this.deps, { queue, item, annotator }, reader) : 0
      const markedAtUs = (await this.now()).nowUs
      const leaseExpiresAtUs = state === 'in_progress' ? markedAtUs + leaseUs : 0
      await insertMark(store, item, { state, annotator, markedAtUs, leaseExpiresAtUs, disagreedAt }, reader)
      return await refreshItem(store, queue, item, await this.now(), { ...reader, lane: 'write' })
    })
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

  private async requireItem(queue: StoredQueue, itemId: string, reader: RequestReader): Promise<ItemRow> {
    const item = await findItem(this.deps.store, queue, itemId, await this.now(), { ...reader, lane: 'write' })
    if (item) return item
    throw new HttpError('not_found', { loc: ['path', 'item_id'], msg: 'This queue has no such item.', type: 'not_found' })
  }

  /** The item with the lease; undefined where somebody else was faster. */
  private async acquire(item: ItemRow, { queue, annotator, reader }: Reviewer): Promise<ItemRow | undefined> {
    const { store } = this.deps
    const { nowUs } = await this.now()
    const expiresAtUs = nowUs + leaseUs
    await insertMark(store, item, { state: 'leased', annotator, markedAtUs: nowUs, leaseExpiresAtUs: expiresAtUs }, reader)
    const expiresAt = formatInstant(BigInt(expiresAtUs))
    if (!store.isShared) {
      const state = item.annotation_state === 'unstarted' ? 'in_progress' : item.annotation_state
      return { ...item, annotation_state: state, leases: [[annotator, expiresAt]] }
    }
    const claimed = await refreshItem(store, queue, item, await this.now(), { ...reader, lane: 'write' })
    if (!hasOther(claimed, annotator) && claimed.annotation_state !== 'completed') return claimed
    await insertMark(store, item, { state: 'released', annotator, markedAtUs: (await this.now()).nowUs }, reader)
    return undefined
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

function hasOther({ leases }: ItemRow, annotator: string): boolean {
  return leases.some(([name]) => name !== annotator)
}

/** Throws 409 where the item needs no more reviews, or somebody else has it. */
function requireOpen(item: ItemRow, annotator: string): void {
  if (item.annotation_state === 'completed') {
    throw conflict('This item has all the reviews that it needs. Ask for the next one.', 'item_completed')
  }
  const other = item.leases.find(([name]) => name !== annotator)
  if (other)
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
