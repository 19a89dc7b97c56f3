import type { QueueItem } from '../../../contract/queue-items'
import { NotFoundError } from '../../client/api-error'
import type { Entered } from './answer-control'
import { leaseMs, NextItems, type NextItemsApi } from './next-items'
import { type DecisionsApi, readConflict, ReviewDecisions, toError } from './review-decisions'
import type { ReviewDrafts } from './review-drafts'
import { type Entry, isDecided, type Notice, notSaved, ReviewState, type SessionState } from './review-state'
import { ReviewTasks } from './review-tasks'
import { type AnswerField, isUnsaved, readAnswers } from './sent-answers'
import { ShownLease } from './shown-lease'

/** What the session asks of the service. */
export type ReviewApi = NextItemsApi &
  DecisionsApi & {
    next(): Promise<{ item: QueueItem | null }>
  }

type Deps = {
  api: ReviewApi
  drafts: ReviewDrafts
  fields: readonly AnswerField[]
  /** Who reviews. */
  annotator: string
  newId: () => string
  now: () => number
  waitForRetry: () => Promise<void>
}

/** Items that a person opens and leaves undecided stay theirs until the lease ends. */
const maxUndecided = 3

export const nothingToUndo = 'There is nothing to undo.'
const noNext = 'The next item could not be opened'

/** The item that Undo goes back to. */
export function findUndoable({ entries, index, decidedIds }: SessionState): string | undefined {
  const shown = entries[index]
  return shown?.decision && shown.decision !== 'completed' ? shown.item.id : decidedIds.at(-1)
}

/** Why nobody can go to the item before or after, as far as that is known. */
export function findObstacle({ entries, index, phase }: SessionState, by: -1 | 1): string | undefined {
  if (entries[index + by]) return undefined
  if (by < 0) return 'This is the first item that you opened.'
  if (phase === 'finished') return 'This is the last item that you opened.'
  const isFull = entries.filter(({ decision }) => decision === undefined).length >= maxUndecided
  return isFull ? `Finish one of the ${maxUndecided} items first that you have left open.` : undefined
}

/**
 * The items that a person opened one after the other, with what they entered. It keeps the order that makes answers count:
 * they are stored before the item is completed, and before the next one shows. The next item is leased when all is answered or
 * while the answers are being stored, and near the end of a queue only then: nobody holds items that others wait for.
 */
export class ReviewSession {
  private readonly state: ReviewState
  private readonly decisions: ReviewDecisions
  private readonly nextItems: NextItems
  private readonly tasks: ReviewTasks
  private readonly lease: ShownLease
  private isStopped = false

  constructor(private readonly deps: Deps) {
    this.state = new ReviewState(deps)
    this.decisions = new ReviewDecisions(deps, this.state)
    this.nextItems = new NextItems(deps.api, deps.now, deps.annotator)
    this.tasks = new ReviewTasks(deps, this.state)
    this.lease = new ShownLease(deps, this.state)
  }

  get getState(): () => SessionState {
    return this.state.get
  }

  get subscribe(): ReviewState['subscribe'] {
    return this.state.subscribe
  }

  get fields(): readonly AnswerField[] {
    return this.deps.fields
  }

  get current(): Entry | undefined {
    return this.state.current
  }

  /** The items that this person has open. */
  get heldIds(): string[] {
    return this.getState().entries.flatMap((entry) => (isDecided(entry) || entry.lease !== 'held' ? [] : entry.item.id))
  }

  /** Opens this item, or the next one. */
  start(itemId: string): Promise<void> {
    this.isStopped = false
    return this.tasks.run([
      noNext,
      async () => {
        if (itemId === '' || !(await this.open(itemId))) await this.showNext()
      },
    ])
  }

  enter(ref: string, entered: Entered): void {
    const entry = this.current
    // What is entered while the answers are being stored is for no item.
    const { isBusy, isRetrying, problems: before } = this.getState()
    if (!entry || (isBusy && !isRetrying)) return
    // The keys of an input method reach no other handler, so the lease is kept from here.
    this.lease.touch()
    // What waits to be sent again is out of date now.
    if (isRetrying) this.tasks.cancel()
    const { [ref]: _, ...problems } = before
    this.state.update(entry.item.id, { entered: { ...entry.entered, [ref]: entered } })
    this.state.set({ problems, failure: null })
    this.state.keep(entry.item.id)
    // All is answered: in a moment the next item is asked for.
    if (this.nextItems.isPlenty && entry.decision === undefined && this.isAnswered(entry.item.id)) void this.reserve()
  }

  /** Stores the answers, completes the item and shows the next one. For a completed item: corrects the answers. */
  async done(): Promise<void> {
    const entry = this.current
    if (!entry || this.getState().isBusy || entry.decision === 'skipped') return
    const { answers, problems } = readAnswers(this.deps.fields, entry.entered)
    if (Object.keys(problems).length > 0) return this.state.refuse(problems)
    this.state.set({ problems })
    const { id } = entry.item
    const isOpen = !isDecided(entry)
    await this.goOnAfter(async () => {
      const { decision, lease } = this.state.find(id) ?? entry
      if (isOpen && (decision === 'left' || lease !== 'held')) await this.lease.renew(id)
      const next = isOpen ? this.reserve() : undefined
      await this.decisions.store(id, answers)
      if (isOpen) this.decisions.decide(id, 'completed')
      else void this.decisions.settle().then(() => this.state.discard(id))
      return next
    })
  }

  async skip(): Promise<void> {
    const entry = this.current
    if (!entry || isDecided(entry)) return
    await this.goOnAfter(async () => {
      const next = await this.reserve()
      this.decisions.decide(entry.item.id, 'skipped')
      return next
    })
  }

  /** `save` may reserve the next item. Where that cannot be shown, nothing is saved a second time. */
  private goOnAfter(save: () => Promise<QueueItem | undefined>): Promise<void> {
    let next: QueueItem | undefined
    return this.tasks.run([notSaved, async () => void (next = await save())], [noNext, () => this.showNext(next)])
  }

  /** Does again what failed. What was refused since then is first. */
  async retry(): Promise<void> {
    if (this.current?.decision === 'left') await this.done()
    else await this.getState().failure?.retry()
  }

  /** Opens the shown item again, if it was skipped or left, or goes back to the item that was decided last. */
  async undo(): Promise<void> {
    const state = this.getState()
    if (state.isBusy) return
    const itemId = findUndoable(state)
    if (itemId === undefined) return this.say(nothingToUndo)
    this.lease.markActive()
    if (this.state.find(itemId)?.decision === 'completed') this.decisions.correct(itemId)
    else await this.tasks.run(['Not done', () => this.decisions.reopen(itemId)])
  }

  /** Goes to the item before or after. After the newest one comes another open item; this one stays undecided. */
  async step(by: -1 | 1): Promise<void> {
    const state = this.getState()
    const target = state.entries[state.index + by]
    if (state.isBusy) return
    if (target) return this.show(target.item.id, this.findUnsaved())
    const obstacle = findObstacle(state, by)
    if (obstacle !== undefined) return this.say(obstacle)
    await this.tasks.run([
      noNext,
      async () => {
        const item = await this.reserve()
        if (item) await this.showNext(item)
        else this.say('No other item is open now. Complete or skip this one.')
      },
    ])
  }

  /** What is said of a completed item that was changed since. */
  findUnsaved(): Notice | null {
    const { current } = this
    if (current?.decision !== 'completed' || !isUnsaved(this.deps.fields, current)) return null
    return { tone: 'warn', text: 'Your correction is not saved. Until you save it, your earlier answers count.' }
  }

  private say(text: string): void {
    this.state.set({ notice: { tone: 'info', text } })
  }

  /** Goes on without an item that somebody else got. */
  leave(): Promise<void> {
    const entry = this.current
    if (entry && !isDecided(entry)) this.state.update(entry.item.id, { decision: 'left' })
    return this.tasks.run([noNext, () => this.showNext()])
  }

  /** Somebody is here: the lease goes on, or is asked for again after it ended. */
  touch(): void {
    this.lease.touch()
  }

  /** Call it now and then. */
  tick(): Promise<void> {
    return this.lease.tick()
  }

  /** The page is left, and maybe comes back: gives back the items that others may have now. */
  leavePage(): void {
    for (const id of this.heldIds) {
      this.deps.api.release(id)
      this.state.update(id, { lease: 'ended', leaseEndsAt: 0 })
    }
    void this.nextItems.giveBack()
  }

  /** Nobody will come back. */
  stop(): void {
    this.isStopped = true
    this.tasks.cancel()
    this.leavePage()
  }

  private isAnswered(itemId: string): boolean {
    const entry = this.state.find(itemId)
    return entry !== undefined && Object.keys(readAnswers(this.deps.fields, entry.entered).problems).length === 0
  }

  /** An item for this person that is not shown yet, unless one that is open comes after the shown one anyway. */
  private reserve(): Promise<QueueItem | undefined> {
    const { entries, index } = this.getState()
    const hasLater = entries.slice(index + 1).some(({ decision }) => decision === undefined)
    return hasLater ? Promise.resolve(undefined) : this.nextItems.reserve()
  }

  private async showNext(reserved?: QueueItem): Promise<void> {
    const { entries, index } = this.getState()
    const later = entries.find((entry, place) => place > index && entry.decision === undefined)
    if (later) return this.show(later.item.id, this.getState().notice)
    const leaseEndsAt = this.deps.now() + leaseMs
    let item: QueueItem | null | undefined = reserved
    if (!item) {
      await this.decisions.settle()
      item = (await this.deps.api.next()).item
    }
    if (!item) return this.state.set({ phase: 'finished', index: entries.length, problems: {} })
    // It was leased while the page was being left.
    if (this.isStopped) return this.deps.api.release(item.id)
    this.state.add(item, { decision: undefined, lease: 'held', leaseEndsAt: this.nextItems.take(item) ?? leaseEndsAt })
    this.show(item.id, this.getState().notice)
    this.prepareNext()
  }

  /** Opens an item by its id. False where it is not open to this person; the notice says why. */
  private async open(itemId: string): Promise<boolean> {
    const { api } = this.deps
    const leaseEndsAt = this.deps.now() + leaseMs
    try {
      const { item } = await api.lease(itemId)
      if (this.isStopped) {
        api.release(itemId)
        return true
      }
      this.state.add(item, { decision: undefined, lease: 'held', leaseEndsAt })
    } catch (error) {
      const conflict = readConflict(error)
      if (conflict === '' && !(error instanceof NotFoundError)) throw error
      const isReviewed = conflict === 'already_reviewed' || conflict === 'item_completed'
      const found = isReviewed ? await api.readCompleted(itemId) : undefined
      if (!found) {
        const text = `The item of this address is not open to you: ${toError(error).message}`
        this.state.set({ notice: { tone: 'warn', text } })
        return false
      }
      const { item, own } = found
      // A draft that is still there is a correction that was not saved.
      const { entered } = this.deps.drafts.read(itemId) ?? own
      this.state.add(item, { sent: own.sent, entered, decision: 'completed', lease: 'ended', leaseEndsAt: 0 })
      this.state.set({ decidedIds: [...this.getState().decidedIds, itemId] })
    }
    this.show(itemId)
    this.prepareNext()
    return true
  }

  private prepareNext(): void {
    this.nextItems.prepare(new Set(this.getState().entries.map(({ item }) => item.id)))
  }

  private show(itemId: string, notice: Notice | null = null): void {
    this.state.show(itemId, notice)
    this.lease.markActive()
  }
}
