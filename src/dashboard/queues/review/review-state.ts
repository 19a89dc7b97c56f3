import type { QueueItem } from '../../../contract/queue-items'
import type { ReviewDraft, ReviewDrafts } from './review-drafts'
import { type AnswerField, isUnsaved } from './sent-answers'

export type Entry = ReviewDraft & {
  item: QueueItem
  /** `left`: the person went on without it, or the service refused their decision. It is as open as before. */
  decision: 'completed' | 'skipped' | 'left' | undefined
  /** Milliseconds of this machine's clock. */
  leaseEndsAt: number
  lease: 'held' | 'ended' | 'taken'
}

export const notSaved = 'Not saved'

export function isDecided({ decision }: Entry): boolean {
  return decision === 'completed' || decision === 'skipped'
}

/** Why the last thing that the person asked for was not done. `retry` does the rest of it. */
export type Failure = { title: string; error: Error; retry: () => Promise<void> }

/** What came of the last thing that the person asked for. */
export type Notice = { tone: 'good' | 'info' | 'warn'; text: string }

export type SessionState = {
  phase: 'starting' | 'reviewing' | 'finished'
  entries: readonly Entry[]
  /** The items whose decision Undo goes back to, the latest last. */
  decidedIds: readonly string[]
  index: number
  isBusy: boolean
  failure: Failure | null
  /** The same request is sent again without a click. */
  isRetrying: boolean
  /** Of the shown item, by scorer reference. */
  problems: Readonly<Record<string, string>>
  /** Grows with each refused attempt: the page moves the focus then. */
  refusedCount: number
  notice: Notice | null
}

/** What a person opened and entered in this visit, for the page to show. What they enter is kept on this device too. */
export class ReviewState {
  private state: SessionState = {
    phase: 'starting',
    entries: [],
    decidedIds: [],
    index: -1,
    isBusy: false,
    failure: null,
    isRetrying: false,
    problems: {},
    refusedCount: 0,
    notice: null,
  }
  private readonly listeners = new Set<() => void>()
  private tellTimer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly deps: { drafts: ReviewDrafts; fields: readonly AnswerField[] }) {}

  readonly get = (): SessionState => this.state

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  get current(): Entry | undefined {
    return this.state.entries[this.state.index]
  }

  set(change: Partial<SessionState>): void {
    this.state = { ...this.state, ...change }
    // What a task changes step by step is drawn at once. What a person enters is drawn at once too: nothing is entered meanwhile.
    if (this.state.isBusy) this.tellTimer ??= setTimeout(() => this.tell())
    else this.tell()
  }

  private tell(): void {
    clearTimeout(this.tellTimer)
    this.tellTimer = undefined
    for (const listener of this.listeners) listener()
  }

  /** An answer was refused, here or by the service. */
  refuse(problems: SessionState['problems']): void {
    this.set({ problems, refusedCount: this.state.refusedCount + 1 })
  }

  find(itemId: string | undefined): Entry | undefined {
    return this.state.entries.find(({ item }) => item.id === itemId)
  }

  /** Adds an item, with its draft unless there are answers already. */
  add(item: QueueItem, entry: Partial<ReviewDraft> & Pick<Entry, 'decision' | 'lease' | 'leaseEndsAt'>): void {
    if (this.find(item.id)) return this.update(item.id, { ...entry, item })
    const draft = this.deps.drafts.read(item.id) ?? { entered: {}, sent: {} }
    this.set({ entries: [...this.state.entries, { ...draft, ...entry, item }] })
  }

  update(itemId: string, change: Partial<Entry>): void {
    this.set({ entries: this.state.entries.map((each) => (each.item.id === itemId ? { ...each, ...change } : each)) })
  }

  show(itemId: string, notice: Notice | null = null): void {
    const index = this.state.entries.findIndex(({ item }) => item.id === itemId)
    this.set({ phase: 'reviewing', index, problems: {}, failure: null, notice })
  }

  /** Writes the draft of an item. */
  keep(itemId: string): void {
    const entry = this.find(itemId)
    if (entry) this.deps.drafts.write(itemId, { entered: entry.entered, sent: entry.sent })
  }

  /** Removes the draft of a decided item, unless more was entered than the service has. */
  discard(itemId: string): void {
    const entry = this.find(itemId)
    if (!entry || entry.decision === 'left') return
    if (entry.decision === 'skipped' || !isUnsaved(this.deps.fields, entry)) this.deps.drafts.remove(itemId)
  }
}
