import type { AnnotationState, QueueItem } from '../../../contract/queue-items'
import { ApiError, NotFoundError } from '../../client/api-error'
import { leaseMs } from './next-items'
import type { ReviewDraft } from './review-drafts'
import type { Notice, ReviewState } from './review-state'
import { type Answers, type NewAnswer, planAnswers, readRefusals, settleAnswers } from './sent-answers'

/** What is asked of the service. */
export type DecisionsApi = {
  mark(itemId: string, state: AnnotationState): Promise<unknown>
  /** Takes the skip of this person back, if there is one, and leases the item. */
  undoSkip(itemId: string): Promise<unknown>
  /** An item that this person completed, and what they answered, as a draft. Undefined for every other item. */
  readCompleted(itemId: string): Promise<{ item: QueueItem; own: ReviewDraft } | undefined>
  /** Stores all of them or none. An id that is stored already changes nothing. */
  save(item: QueueItem, answers: readonly NewAnswer[]): Promise<unknown>
  remove(feedbackIds: readonly string[]): Promise<unknown>
}

type Deps = { api: DecisionsApi; newId: () => string; now: () => number; waitForRetry: () => Promise<void> }

/** Stores the answers of items, completes and skips them, and takes decisions back. */
export class ReviewDecisions {
  /** Until the service has all decisions. */
  private storing: Promise<unknown> = Promise.resolve()
  /** Until no decision is on its way: those that failed wait. */
  private sending: Promise<unknown> = Promise.resolve()
  /** Skips that are not sent again. */
  private readonly undoneIds = new Set<string>()

  constructor(
    private readonly deps: Deps,
    private readonly state: ReviewState,
  ) {}

  /** Stores what is not stored yet, and deletes answers that were taken back. */
  async store(itemId: string, answers: Answers): Promise<void> {
    const entry = this.state.find(itemId)
    if (!entry) return
    const { sent, added, removedIds } = planAnswers(entry.sent, answers, this.deps.newId)
    // Before they are sent: after a lost reply and a reload the same ids are sent again.
    this.state.update(itemId, { sent })
    this.state.keep(itemId)
    if (added.length > 0) await this.save(entry.item, added)
    if (removedIds.length > 0) await this.deps.api.remove(removedIds)
    this.state.update(itemId, { sent: settleAnswers(sent, removedIds) })
    this.state.keep(itemId)
  }

  /** Completes an item whose answers are stored, or skips one. The next item shows meanwhile. */
  decide(itemId: string, decision: 'completed' | 'skipped'): void {
    this.undoneIds.delete(itemId)
    this.state.update(itemId, { decision })
    this.state.set({ decidedIds: [...this.state.get().decidedIds, itemId] })
    this.storing = Promise.all([this.storing, this.markUntilStored(itemId, decision)])
  }

  /** Resolves when the service knows of every decision. Before that it may offer a decided item again. */
  async settle(): Promise<void> {
    await this.storing
  }

  /** Goes back to an item that is completed. */
  correct(itemId: string): void {
    const text = 'This item stays completed. What you change and save here counts instead of your earlier answers.'
    this.goBack(itemId, { tone: 'info', text })
  }

  /** Goes back to an item that is not completed, leases it, and takes the skip back if there is one. */
  async reopen(itemId: string): Promise<void> {
    const isSkipped = this.state.find(itemId)?.decision === 'skipped'
    this.undoneIds.add(itemId)
    // The skip may be on its way: it must not arrive later.
    await this.sending
    const leaseEndsAt = this.deps.now() + leaseMs
    try {
      await this.deps.api.undoSkip(itemId)
    } catch (error) {
      if (error instanceof ApiError && error.isTransient) throw error
      if (readConflict(error) !== '' && (await this.findCompleted(itemId))) return this.correct(itemId)
      return this.goBack(itemId, { tone: 'warn', text: `You cannot have this item again: ${toError(error).message}` })
    }
    this.state.update(itemId, { decision: undefined, lease: 'held', leaseEndsAt })
    this.state.keep(itemId)
    const text = isSkipped ? 'The skip is taken back.' : 'You have this item again. It is not completed yet.'
    this.goBack(itemId, { tone: 'good', text })
  }

  /** Whether this person completed the item elsewhere. It is shown so from now on. */
  private async findCompleted(itemId: string): Promise<boolean> {
    const found = await this.deps.api.readCompleted(itemId)
    if (found) this.state.update(itemId, { item: found.item, sent: found.own.sent, decision: 'completed' })
    return found !== undefined
  }

  private goBack(itemId: string, notice: Notice): void {
    this.state.set({ decidedIds: this.state.get().decidedIds.filter((id) => id !== itemId) })
    this.state.show(itemId, notice)
  }

  /** What the service says of an answer stands at its field. */
  private async save(item: QueueItem, answers: readonly NewAnswer[]): Promise<void> {
    try {
      await this.deps.api.save(item, answers)
    } catch (error) {
      const problems = readRefusals(error, answers)
      if (Object.keys(problems).length > 0) this.state.refuse(problems)
      throw error
    }
  }

  /** Until the service has it, the draft stays: on a page that is loaded again the item is there as it was. */
  private async markUntilStored(itemId: string, decision: 'completed' | 'skipped'): Promise<void> {
    for (;;) {
      try {
        const sent = this.deps.api.mark(itemId, decision)
        this.sending = Promise.allSettled([this.sending, sent])
        await sent
        this.state.discard(itemId)
        return
      } catch (error) {
        if (error instanceof ApiError && error.isTransient) {
          await this.deps.waitForRetry()
          if (this.undoneIds.has(itemId)) return
          continue
        }
        const conflict = readConflict(error)
        // It is somebody else's now, or gone: nothing has to be skipped.
        if (decision === 'skipped' && (conflict.startsWith('item_') || error instanceof NotFoundError)) return
        // If that cannot be read either, the item counts as open, and the first failure is said below.
        if (conflict === '' || !(await this.findCompleted(itemId).catch(() => false))) {
          this.state.update(itemId, { decision: 'left', ...(conflict.startsWith('item_') && { lease: 'taken' }) })
        }
        const what =
          decision === 'skipped' ? 'An item before is not skipped' : 'Your answers to an item before are stored and do not count'
        this.state.set({ notice: { tone: 'warn', text: `${what}: ${toError(error).message}` } })
        return
      }
    }
  }
}

/** Why an item is not open to this person; '' for any other failure. */
export function readConflict(error: unknown): string {
  return error instanceof ApiError && error.status === 409 ? (error.problems[0]?.type ?? 'conflict') : ''
}

export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
