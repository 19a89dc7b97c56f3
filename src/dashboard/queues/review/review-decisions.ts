import type { AnnotationState, QueueItem } from '../../../contract/queue-items'
import { ApiError, NotFoundError } from '../../client/api-error'
import type { ReviewState } from './review-state'
import { type Answers, type NewAnswer, planAnswers, readRefusals, settleAnswers } from './sent-answers'

/** What is asked of the service. */
export type DecisionsApi = {
  mark(itemId: string, state: AnnotationState): Promise<unknown>
  /** Stores all of them or none. An id that is stored already changes nothing. */
  save(item: QueueItem, answers: readonly NewAnswer[]): Promise<unknown>
  remove(feedbackIds: readonly string[]): Promise<unknown>
}

type Deps = { api: DecisionsApi; newId: () => string; waitForRetry: () => Promise<void> }

/** For this long a skip can be undone: the service cannot undo one. */
export const skipDelayMs = 8000

/** Stores the answers of items, completes and skips them, and takes decisions back. */
export class ReviewDecisions {
  /** The item that was decided last is the last one. */
  private readonly decidedIds: string[] = []
  private completing: Promise<void> | undefined
  private skipTimer: ReturnType<typeof setTimeout> | undefined

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

  /** Completes an item whose answers are stored. The next item shows meanwhile. */
  complete(itemId: string): void {
    this.completing = this.completeUntilStored(itemId)
  }

  /** Skips an item in a moment, and the one before now. */
  async skip(itemId: string): Promise<void> {
    await this.flushSkip()
    if (this.state.find(itemId)?.decision === undefined) this.decide(itemId, 'skipping')
    this.sendSkipLater()
  }

  /** Sends the skip that waits. */
  async flushSkip(): Promise<void> {
    clearTimeout(this.skipTimer)
    const itemId = this.state.get().entries.find(({ decision }) => decision === 'skipping')?.item.id
    if (itemId === undefined) return
    // From here on it cannot be undone.
    this.state.update(itemId, { decision: 'skipped' })
    try {
      await this.deps.api.mark(itemId, 'skipped')
      this.state.discard(itemId)
    } catch (error) {
      // It is somebody else's now, or gone: nothing has to be skipped.
      if (readConflict(error) !== '' || error instanceof NotFoundError) return
      this.state.update(itemId, { decision: 'skipping' })
      throw error
    }
  }

  /** Resolves when the service knows of every decision. Before that it may offer a decided item again. */
  async settle(): Promise<void> {
    await this.flushSkip()
    await this.completing
  }

  /** An item that this person completed before this visit. */
  addCompleted(itemId: string): void {
    this.decidedIds.push(itemId)
  }

  /** Goes back to the item that was decided last. Returns what came of it, for the person. */
  undo(): string {
    const entry = this.state.find(this.decidedIds.at(-1))
    if (!entry) return 'There is nothing to undo.'
    if (entry.decision === 'skipped') return 'The service has stored this skip, and it cannot be taken back.'
    this.decidedIds.pop()
    let notice = 'This item stays completed. What you change and save here counts instead of your earlier answers.'
    if (entry.decision === 'skipping') {
      clearTimeout(this.skipTimer)
      this.state.update(entry.item.id, { decision: undefined })
      notice = 'The skip is taken back.'
    }
    this.state.show(entry.item.id, notice)
    return notice
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
  private async completeUntilStored(itemId: string): Promise<void> {
    this.decide(itemId, 'completed')
    for (;;) {
      try {
        await this.deps.api.mark(itemId, 'completed')
        this.state.discard(itemId)
        return
      } catch (error) {
        if (error instanceof ApiError && error.isTransient) {
          await this.deps.waitForRetry()
          continue
        }
        this.state.update(itemId, { decision: 'left' })
        this.state.set({ notice: `Your answers to an item before are stored and do not count: ${toError(error).message}` })
        return
      }
    }
  }

  private sendSkipLater(): void {
    clearTimeout(this.skipTimer)
    this.skipTimer = setTimeout(() => void this.flushSkip().catch(() => this.sendSkipLater()), skipDelayMs)
  }

  private decide(itemId: string, decision: 'completed' | 'skipping'): void {
    const { openCount } = this.state.get()
    this.state.update(itemId, { decision })
    this.decidedIds.push(itemId)
    this.state.set({ openCount: openCount === null ? null : Math.max(0, openCount - 1) })
  }
}

/** Why an item is not open to this person; '' for any other failure. */
export function readConflict(error: unknown): string {
  return error instanceof ApiError && error.status === 409 ? (error.problems[0]?.type ?? 'conflict') : ''
}

export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
