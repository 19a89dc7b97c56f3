import { type FairLimits, FairQueue } from '../lib/fair-queue'
import type { Share } from '../lib/share'
import { closedError, StoreError } from './store-error'

export type TurnLimits = FairLimits & {
  /** Statements that have begun, those whose reader does not read included. Each keeps a session or a connection. */
  maxHeld: number
}

type TurnTimes = {
  /** How long a statement waits until it begins. */
  maxWaitMs: number
  /** A reader that reads nothing for this long has stalled. */
  stalledAfterMs: number
}

/** Not longer than a client waits for a page. */
const defaultTimes: TurnTimes = { maxWaitMs: 30_000, stalledAfterMs: 250 }

/** The right to run one statement, until `release`. */
export type Turn = {
  /** The reader of the rows does something else, so another statement may run. `cancel` must end this one. */
  suspend(cancel: () => void): void
  /** Waits until it may run again, ahead of statements of its share that have not begun. */
  resume(): Promise<void>
  release(): void
}

type Waiter = { begin: () => void; refuse: (error: StoreError) => void }
type State = {
  share: Share
  phase: 'waiting' | 'active' | 'suspended' | 'returning' | 'released'
  isStalled: boolean
  cancel: () => void
}

/**
 * Lets statements run a few at a time, shared out fairly between users (see `FairQueue`).
 *
 * A statement whose reader has stalled costs no work, but keeps a session. When there are `maxHeld`, the user with the most
 * loses the statement that stalled first.
 */
export class StatementTurns {
  private readonly queue: FairQueue<Waiter>
  /** In the order in which they were suspended last. */
  private readonly held = new Set<State>()
  private isClosed = false

  constructor(
    private readonly limits: TurnLimits,
    private readonly times: TurnTimes = defaultTimes,
  ) {
    this.queue = new FairQueue(limits)
  }

  /** Rejects with a `StoreError`: `overloaded` where too many wait, `busy` after the time limit, `aborted`. */
  async acquire(share: Share, signal?: AbortSignal): Promise<Turn> {
    const state: State = { share, phase: 'waiting', isStalled: false, cancel: () => undefined }
    await this.wait(state, signal)
    return this.toTurn(state, signal)
  }

  /** Refuses those who wait. */
  close(): void {
    this.isClosed = true
    for (const waiter of this.queue.clear()) waiter.refuse(closedError())
  }

  private toTurn(state: State, signal: AbortSignal | undefined): Turn {
    let timer: NodeJS.Timeout | undefined
    return {
      suspend: (cancel) => {
        if (state.phase !== 'active') return
        state.phase = 'suspended'
        state.cancel = cancel
        this.held.delete(state)
        this.held.add(state)
        timer = setTimeout(() => {
          state.isStalled = true
          this.serve()
        }, this.times.stalledAfterMs)
        timer.unref()
        this.queue.release(state.share)
        this.serve()
      },
      resume: async () => {
        clearTimeout(timer)
        if (state.phase === 'released') throw tooSlowError()
        if (state.phase !== 'suspended') return
        state.phase = 'returning'
        state.isStalled = false
        await this.wait(state, signal)
      },
      release: () => {
        clearTimeout(timer)
        if (state.phase === 'active') this.queue.release(state.share)
        state.phase = 'released'
        this.held.delete(state)
        this.serve()
      },
    }
  }

  private async wait(state: State, signal: AbortSignal | undefined): Promise<void> {
    const { share } = state
    if (this.isClosed) throw closedError()
    if (signal?.aborted) throw abortedError()
    let timer: NodeJS.Timeout | undefined
    let onAbort: (() => void) | undefined
    try {
      await new Promise<void>((resolve, reject) => {
        const begin = () => {
          state.phase = 'active'
          this.held.add(state)
          resolve()
        }
        const waiter: Waiter = { begin, refuse: reject }
        const leave = (error: StoreError) => {
          if (this.queue.remove(share, waiter)) reject(error)
        }
        onAbort = () => leave(abortedError())
        signal?.addEventListener('abort', onAbort, { once: true })
        if (state.phase === 'returning') this.queue.addReturning(share, waiter)
        else {
          timer = setTimeout(() => leave(busyError()), this.times.maxWaitMs)
          this.queue.add(share, waiter)?.refuse(overloadedError())
        }
        this.serve()
      })
    } finally {
      clearTimeout(timer)
      if (onAbort) signal?.removeEventListener('abort', onAbort)
    }
  }

  private serve(): void {
    for (;;) {
      const isFull = this.held.size >= this.limits.maxHeld
      const next = this.queue.takeNext({ onlyReturning: isFull })
      if (next) next.item.begin()
      else if (!isFull || !this.queue.hasNext() || !this.cancelStalled()) return
    }
  }

  /** Cancels the statement that has stalled longest of the user who holds the most; false where nobody has stalled. */
  private cancelStalled(): boolean {
    const stalled = [...this.held].filter(({ phase, isStalled }) => phase === 'suspended' && isStalled)
    const countByUser = new Map<string, number>()
    for (const { share } of this.held) countByUser.set(share.user, (countByUser.get(share.user) ?? 0) + 1)
    const countOf = ({ share }: State) => countByUser.get(share.user) ?? 0
    const [victim] = stalled.toSorted((a, b) => countOf(b) - countOf(a))
    if (!victim) return false
    victim.phase = 'released'
    this.held.delete(victim)
    victim.cancel()
    return true
  }
}

export function tooSlowError(): StoreError {
  return new StoreError('unavailable', 'The list was read too slowly, and other requests needed its session.')
}

function overloadedError(): StoreError {
  return new StoreError('overloaded', 'Too many statements of this user are waiting.')
}

function busyError(): StoreError {
  return new StoreError('busy', 'The statement did not begin within the time limit, because others were running.')
}

function abortedError(): StoreError {
  return new StoreError('aborted', 'The statement was aborted before it started.')
}
