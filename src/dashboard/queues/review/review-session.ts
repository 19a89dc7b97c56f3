import type { AnnotationState, QueueItem } from '../../../contract/queue-items'
import { ApiError, NotFoundError } from '../../client/api-error'
import type { Entered } from './answer-control'
import { leaseMs, NextItems, type NextItemsApi, renewMs } from './next-items'
import type { ReviewDraft, ReviewDrafts } from './review-drafts'
import {
  type AnswerField,
  type Answers,
  type NewAnswer,
  planAnswers,
  readAnswers,
  readRefusals,
  settleAnswers,
} from './sent-answers'

/** What the session asks of the service. */
export type ReviewApi = NextItemsApi & {
  next(): Promise<{ item: QueueItem | null; open_count: number }>
  mark(itemId: string, state: AnnotationState): Promise<unknown>
  /** Stores all of them or none. An id that is stored already changes nothing. */
  save(item: QueueItem, answers: readonly NewAnswer[]): Promise<unknown>
  remove(feedbackIds: readonly string[]): Promise<unknown>
  find(itemId: string): Promise<QueueItem | undefined>
  /** What this person answered for an item, as a draft. */
  readAnswers(item: QueueItem): Promise<ReviewDraft>
}

export type Entry = ReviewDraft & {
  item: QueueItem
  /** `skipping`: the skip is sent a moment later, until then it can be undone. `left`: it went to somebody else. */
  decision: 'completed' | 'skipping' | 'skipped' | 'left' | undefined
  /** Milliseconds of this machine's clock. */
  leaseEndsAt: number
  lease: 'held' | 'ended' | 'taken'
}

export type SessionState = {
  phase: 'starting' | 'reviewing' | 'finished'
  entries: readonly Entry[]
  index: number
  /** Items that are open to this person, the shown one included. Null where the service has not said. */
  openCount: number | null
  isBusy: boolean
  /** Why the last thing that the person asked for was not done. */
  failure: Error | null
  /** The same request is sent again without a click. */
  isRetrying: boolean
  /** Of the shown item, by scorer reference. */
  problems: Readonly<Record<string, string>>
  /** Grows with each refused attempt: the page moves the focus then. */
  refusedCount: number
  notice: string
}

type Deps = {
  api: ReviewApi
  drafts: ReviewDrafts
  fields: readonly AnswerField[]
  newId: () => string
  now: () => number
  waitForRetry: () => Promise<void>
}

/** So long a skip can be undone: the service has no way back. */
export const skipDelayMs = 8000
/** Items that a person opens and leaves undecided stay theirs until the lease ends. */
const maxUndecided = 3

/** Why an item is not open to this person; '' for any other failure. */
function readConflict(error: unknown): string {
  return error instanceof ApiError && error.status === 409 ? (error.problems[0]?.type ?? 'conflict') : ''
}

/**
 * The items that a person opened one after the other, with what they entered. It keeps the order that makes answers count:
 * they are stored before the item is completed, and before the next one shows. The next item is leased when all is answered or
 * while the answers are being stored, and near the end of a queue only then: nobody holds items that others wait for.
 */
export class ReviewSession {
  private state: SessionState = {
    phase: 'starting',
    entries: [],
    index: -1,
    openCount: null,
    isBusy: false,
    failure: null,
    isRetrying: false,
    problems: {},
    refusedCount: 0,
    notice: '',
  }
  private readonly listeners = new Set<() => void>()
  private readonly decided: string[] = []
  private skipTimer: ReturnType<typeof setTimeout> | undefined
  private activeAt = 0
  private completing: Promise<void> | undefined
  private runCount = 0
  private isRenewing = false
  private readonly nextItems: NextItems

  constructor(private readonly deps: Deps) {
    this.nextItems = new NextItems(deps.api, deps.now)
  }

  readonly getState = (): SessionState => this.state

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  get fields(): readonly AnswerField[] {
    return this.deps.fields
  }

  get current(): Entry | undefined {
    return this.state.entries[this.state.index]
  }

  /** Opens this item, or the next one. */
  start(itemId: string): Promise<void> {
    return this.run(async () => {
      if (itemId === '' || !(await this.open(itemId))) await this.showNext()
    })
  }

  enter(ref: string, entered: Entered): void {
    const entry = this.current
    // A key that comes while the answers are being stored is meant for the next item.
    if (!entry || (this.state.isBusy && !this.state.isRetrying)) return
    // What waits to be sent again is out of date now.
    if (this.state.isRetrying) this.cancelRun()
    const { [ref]: _, ...problems } = this.state.problems
    this.update(entry, { entered: { ...entry.entered, [ref]: entered } })
    this.set({ problems, failure: null })
    this.keep(entry.item.id)
    // All is answered: in a moment the next item is asked for.
    const isReady = this.nextItems.isPlenty && entry.decision === undefined && this.canSend(entry.item.id)
    if (isReady) void this.reserve()
  }

  /** Stores the answers, completes the item and shows the next one. For a completed item: corrects the answers. */
  async done(): Promise<void> {
    const entry = this.current
    if (!entry || this.state.isBusy || entry.decision === 'skipping' || entry.decision === 'skipped') return
    const { answers, problems } = readAnswers(this.deps.fields, entry.entered)
    this.set({ problems })
    if (Object.keys(problems).length > 0) return this.set({ refusedCount: this.state.refusedCount + 1 })
    const { item } = entry
    await this.run(async () => {
      const isOpen = this.find(item.id)?.decision === undefined
      if (isOpen && this.find(item.id)?.lease !== 'held') await this.renew(item.id)
      const next = isOpen ? this.reserve() : undefined
      await this.store(item.id, answers)
      if (isOpen) this.completing = this.complete(item.id)
      else this.deps.drafts.remove(item.id)
      await this.showNext(await next)
    })
  }

  async skip(): Promise<void> {
    const entry = this.current
    if (!entry || entry.decision !== undefined || this.state.isBusy) return
    await this.run(async () => {
      const next = await this.reserve()
      await this.flushSkip()
      if (this.find(entry.item.id)?.decision === undefined) this.decide(entry.item.id, 'skipping')
      this.sendSkipLater()
      await this.showNext(next)
    })
  }

  /** Goes back to the item that was decided last. Returns what came of it, for the person. */
  undo(): string {
    if (this.state.isBusy) return ''
    const entry = this.find(this.decided.at(-1))
    if (!entry) return 'There is nothing to undo.'
    if (entry.decision === 'skipped') return 'The service has stored this skip, and it cannot be taken back.'
    this.decided.pop()
    let notice = 'This item stays completed. What you change and save here counts instead of your earlier answers.'
    if (entry.decision === 'skipping') {
      clearTimeout(this.skipTimer)
      this.update(entry, { decision: undefined })
      notice = 'The skip is taken back.'
    }
    this.show(entry.item.id, notice)
    return notice
  }

  /** Goes to the item before or after. After the newest one comes another open item; this one stays undecided. */
  async step(by: -1 | 1): Promise<string> {
    const { entries, index, isBusy } = this.state
    const target = entries[(this.state.phase === 'finished' ? entries.length : index) + by]
    if (isBusy) return ''
    if (target) {
      this.show(target.item.id)
      return ''
    }
    if (by < 0) return 'This is the first item that you opened.'
    const undecided = entries.filter(({ decision }) => decision === undefined)
    if (undecided.length >= maxUndecided) return `Finish one of the ${maxUndecided} items first that you have left open.`
    let message = ''
    await this.run(async () => {
      const item = await this.reserve()
      if (item) await this.showNext(item)
      else message = 'No other item is open now. Complete or skip this one.'
    })
    return message
  }

  /** Goes on without an item that somebody else got. */
  leave(): Promise<void> {
    const entry = this.current
    return this.run(async () => {
      if (entry && entry.decision === undefined) this.update(entry, { decision: 'left' })
      await this.showNext()
    })
  }

  /** Somebody is here: the lease goes on, or is asked for again after it ended. */
  touch(): void {
    this.activeAt = this.deps.now()
    if (this.current?.lease === 'ended') void this.tick()
  }

  /** Renews the lease of the shown item while its person is active, and says when it ended. Call it now and then. */
  async tick(): Promise<void> {
    const entry = this.current
    if (!entry || entry.decision !== undefined || entry.lease === 'taken' || this.isRenewing || this.state.isBusy) return
    const nowMs = this.deps.now()
    const isActive = this.activeAt > entry.leaseEndsAt - leaseMs && nowMs - this.activeAt < renewMs
    if (nowMs >= entry.leaseEndsAt && entry.lease === 'held') this.update(entry, { lease: 'ended' })
    if (!isActive || nowMs < entry.leaseEndsAt - renewMs) return
    this.isRenewing = true
    try {
      await this.renew(entry.item.id)
    } catch (error) {
      // Without the service the lease ends as it was said; any other failure is that of the item.
      if (!(error instanceof ApiError && error.isTransient)) this.set({ failure: toError(error) })
    } finally {
      this.isRenewing = false
    }
  }

  /** Sends what waits. */
  stop(): void {
    this.cancelRun()
    // The page is left: the item comes back to this person where the skip does not arrive.
    void this.flushSkip().catch(() => undefined)
  }

  // ---- the parts of a decision ----

  private canSend(itemId: string): boolean {
    const entry = this.find(itemId)
    return entry !== undefined && Object.keys(readAnswers(this.deps.fields, entry.entered).problems).length === 0
  }

  /** Stores what is not stored yet, and deletes answers that were taken back. */
  private async store(itemId: string, answers: Answers): Promise<void> {
    const entry = this.find(itemId)
    if (!entry) return
    const { sent, added, removedIds } = planAnswers(entry.sent, answers, this.deps.newId)
    // Before they are sent: after a lost reply and a reload the same ids are sent again.
    this.update(entry, { sent })
    this.keep(itemId)
    if (added.length > 0) await this.save(entry.item, added)
    if (removedIds.length > 0) await this.deps.api.remove(removedIds)
    this.update(this.find(itemId), { sent: settleAnswers(sent, removedIds) })
    this.keep(itemId)
  }

  /** What the service says of an answer stands at its field. */
  private async save(item: QueueItem, answers: readonly NewAnswer[]): Promise<void> {
    try {
      await this.deps.api.save(item, answers)
    } catch (error) {
      const problems = readRefusals(error, answers)
      if (Object.keys(problems).length > 0) this.set({ problems, refusedCount: this.state.refusedCount + 1 })
      throw error
    }
  }

  /**
   * Completes an item whose answers are stored, while the next one shows already. Until the service has it, the draft stays:
   * on a page that is loaded again the item is there as it was.
   */
  private async complete(itemId: string): Promise<void> {
    this.decide(itemId, 'completed')
    for (;;) {
      try {
        await this.deps.api.mark(itemId, 'completed')
        this.deps.drafts.remove(itemId)
        return
      } catch (error) {
        if (error instanceof ApiError && error.isTransient) {
          await this.deps.waitForRetry()
          continue
        }
        this.update(this.find(itemId), { decision: 'left' })
        this.set({ notice: `Your answers to an item before are stored and do not count: ${toError(error).message}` })
        return
      }
    }
  }

  private async flushSkip(): Promise<void> {
    clearTimeout(this.skipTimer)
    const entry = this.state.entries.find(({ decision }) => decision === 'skipping')
    if (!entry) return
    // From here on it cannot be undone.
    this.update(entry, { decision: 'skipped' })
    try {
      await this.deps.api.mark(entry.item.id, 'skipped')
      this.deps.drafts.remove(entry.item.id)
    } catch (error) {
      // It is somebody else's now, or gone: nothing has to be skipped.
      if (readConflict(error) !== '' || error instanceof NotFoundError) return
      this.update(entry, { decision: 'skipping' })
      throw error
    }
  }

  private sendSkipLater(): void {
    clearTimeout(this.skipTimer)
    this.skipTimer = setTimeout(() => void this.flushSkip().catch(() => this.sendSkipLater()), skipDelayMs)
  }

  private async renew(itemId: string): Promise<void> {
    const leaseEndsAt = this.deps.now() + leaseMs
    try {
      await this.deps.api.lease(itemId)
      this.update(this.find(itemId), { lease: 'held', leaseEndsAt })
    } catch (error) {
      if (readConflict(error).startsWith('item_')) this.update(this.find(itemId), { lease: 'taken' })
      throw error
    }
  }

  // ---- which item comes next ----

  /** An item for this person that is not shown yet, unless one that is open comes after the shown one anyway. */
  private reserve(): Promise<QueueItem | undefined> {
    const { entries, index } = this.state
    const hasLater = entries.slice(index + 1).some(({ decision }) => decision === undefined)
    return hasLater ? Promise.resolve(undefined) : this.nextItems.reserve()
  }

  private async showNext(reserved?: QueueItem): Promise<void> {
    const { entries, index } = this.state
    const later = entries.find((entry, place) => place > index && entry.decision === undefined)
    if (later) return this.show(later.item.id, this.state.notice)
    const leaseEndsAt = this.deps.now() + leaseMs
    let item: QueueItem | null | undefined = reserved
    if (!item) {
      await this.flushSkip()
      // Until it is completed, the item before would be the next one again.
      await this.completing
      const next = await this.deps.api.next()
      item = next.item
      this.set({ openCount: next.open_count })
    }
    if (!item) return this.set({ phase: 'finished', index: entries.length, problems: {} })
    this.nextItems.annotator = item.lease?.annotator ?? this.nextItems.annotator
    this.add(item, { decision: undefined, lease: 'held', leaseEndsAt: this.nextItems.take(item) ?? leaseEndsAt })
    this.show(item.id, this.state.notice)
    this.prepareNext()
  }

  /** Opens an item by its id. False where it is not open to this person; the notice says why. */
  private async open(itemId: string): Promise<boolean> {
    const { api } = this.deps
    const leaseEndsAt = this.deps.now() + leaseMs
    try {
      const { item } = await api.lease(itemId)
      this.nextItems.annotator = item.lease?.annotator ?? ''
      this.add(item, { decision: undefined, lease: 'held', leaseEndsAt })
    } catch (error) {
      const conflict = readConflict(error)
      if (conflict === '' && !(error instanceof NotFoundError)) throw error
      const item = conflict === 'already_reviewed' || conflict === 'item_completed' ? await api.find(itemId) : undefined
      const own = item && (await api.readAnswers(item))
      if (!item || !own || Object.keys(own.sent).length === 0) {
        this.set({ notice: `The item of this address is not open to you: ${toError(error).message}` })
        return false
      }
      this.add(item, { ...own, decision: 'completed', lease: 'ended', leaseEndsAt: 0 })
      this.decided.push(itemId)
    }
    this.show(itemId)
    this.prepareNext()
    return true
  }

  private prepareNext(): void {
    this.nextItems.prepare(new Set(this.state.entries.map(({ item }) => item.id)))
  }

  // ---- state ----

  /** Does one thing after the other: a second press meanwhile does nothing. What fails for want of the service is sent again. */
  private async run(task: () => Promise<void>): Promise<void> {
    if (this.state.isBusy) return
    const run = (this.runCount += 1)
    this.set({ isBusy: true, failure: null, notice: '' })
    for (;;) {
      try {
        await task()
        break
      } catch (error) {
        const isRetrying = error instanceof ApiError && error.isTransient
        this.set({ failure: toError(error), isRetrying })
        if (!isRetrying) break
        await this.deps.waitForRetry()
        if (this.runCount !== run) return
        this.set({ failure: null, isRetrying: false })
      }
    }
    this.set({ isBusy: false })
  }

  private cancelRun(): void {
    this.runCount += 1
    this.set({ isBusy: false, isRetrying: false })
  }

  private find(itemId: string | undefined): Entry | undefined {
    return this.state.entries.find(({ item }) => item.id === itemId)
  }

  private add(item: QueueItem, entry: Partial<ReviewDraft> & Pick<Entry, 'decision' | 'lease' | 'leaseEndsAt'>): void {
    const known = this.find(item.id)
    if (known) return this.update(known, { ...entry, item })
    const draft = this.deps.drafts.read(item.id) ?? { entered: {}, sent: {} }
    this.set({ entries: [...this.state.entries, { ...draft, ...entry, item }] })
  }

  private update(entry: Entry | undefined, change: Partial<Entry>): void {
    if (!entry) return
    const { id } = entry.item
    this.set({ entries: this.state.entries.map((each) => (each.item.id === id ? { ...each, ...change } : each)) })
  }

  private decide(itemId: string, decision: 'completed' | 'skipping'): void {
    const { openCount } = this.state
    this.update(this.find(itemId), { decision })
    this.decided.push(itemId)
    this.set({ openCount: openCount === null ? null : Math.max(0, openCount - 1) })
  }

  private show(itemId: string, notice = ''): void {
    const index = this.state.entries.findIndex(({ item }) => item.id === itemId)
    this.set({ phase: 'reviewing', index, problems: {}, failure: null, notice })
    this.activeAt = this.deps.now()
  }

  private keep(itemId: string): void {
    const entry = this.find(itemId)
    if (entry) this.deps.drafts.write(itemId, { entered: entry.entered, sent: entry.sent })
  }

  private set(change: Partial<SessionState>): void {
    this.state = { ...this.state, ...change }
    for (const listener of this.listeners) listener()
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
