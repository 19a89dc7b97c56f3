import type { Logger } from 'pino'
import type { GrowingClock } from '../lib/growing-clock'
import { serviceShare, type Share } from '../lib/share'
import type { Store } from '../store/store'
import { withShare } from '../store/with-share'
import { addChangedTurns, type Batch, toBatch, toQuarantined } from './batch'
import type { Derivation } from './derivation'
import { deriveBatch } from './derive-batch'
import { toLoggedItem, toLoggedProjects } from './derivation-log'
import { FailedSteps, type FailureTimes } from './failed-steps'
import { ProjectQueue } from './project-queue'
import { MovingWatermark } from './moving-watermark'
import { addSuspect, addWaiter, oldestOrder, oldestOrigin, type ProjectWork } from './project-work'
import { Quarantine } from './quarantine'
import { RecentReads } from './recent-reads'
import { type Recovery, runRecovery } from './recovery'
import { defaultRetryTimes } from './retry-times'
import type { Lane } from './step-queue'
import { StepSizes } from './step-sizes'
import { waitAsReader } from './wait-as-reader'
import { WritesInProgress } from './writes-in-progress'

// From a written call to a thread:
// 1. The call writer inserts rows into `calls` and tells the TurnDeriver which calls they are parts of (`trackWrite`).
// 2. Shortly after, or as soon as somebody wants to read (`flush`), the project's round begins: all that is pending.
//    derive-turns.ts reads up to eight thousand calls back at once, merged, of several projects where each has few.
// 3. It writes a row to `turns` for each call that is a turn, and retracts rows of calls that are none any more; for spans
//    of OTLP conversations derive-conversation-turns.ts decides that by their parents.
// 4. derive-threads.ts copies the changed turns to `turns_by_start` and computes the rows of their threads in `threads`.
// 5. The watermark says up to when all calls are derived; at the next start recover-derived.ts derives the later ones again.
//
// Steps of different projects take turns (project-queue.ts, step-queue.ts, step-sizes.ts). What fails because of its data is
// halved until the call or the thread is found that fails alone, and that is set aside; what fails because of the store is
// tried again (failed-steps.ts, quarantine.ts).

/** Times that tests shorten. */
export type DeriverTimes = FailureTimes & {
  /** A reader waits so long for its project. */
  maxReaderWaitMs: number
  /** At the end of the process: what is not derived by then, the next start derives. */
  maxCloseWaitMs: number
}

type FlushOptions = { signal?: AbortSignal | undefined; maxWaitMs?: number }

/** Readers wait for turns, and should not wait for what else the service writes. */
const turnShare: Share = { ...serviceShare, projectId: 'turns' }
/** A derivation takes several short steps at a time: waiting in the queue before each would take longer than they do. */
const minTurnMs = 100

const defaultTimes: DeriverTimes = {
  maxReaderWaitMs: 10_000,
  maxCloseWaitMs: 4000,
  pausesMs: [1000, 3000],
  pausesUnderLoadMs: [1000, 5000, 15_000, 30_000, 60_000],
  retry: defaultRetryTimes,
}

/**
 * Keeps `turns`, `turns_by_start` and `threads` up to date with `calls`, with a short delay: a writer does not wait, and
 * many calls of one thread cost a few statements. Call `flush` before reading them: it makes every acknowledged write
 * visible. What is pending when a process ends is derived at the next start.
 */
export class TurnDeriver {
  readonly quarantine: Quarantine
  private readonly store: Store
  private readonly logger: Logger
  private readonly times: DeriverTimes
  private readonly writes: WritesInProgress
  private readonly queue: ProjectQueue
  private readonly failedSteps: FailedSteps
  private readonly stepSizes = new StepSizes()
  private readonly reads = new RecentReads()
  private readonly watermark: MovingWatermark
  private readonly threadWatchers: ((projectId: string, threadId: string) => void)[] = []
  private recovery: Recovery | undefined
  private recovering: Promise<void> | undefined
  private readonly closing = new AbortController()

  constructor(deps: { store: Store; logger: Logger; insertClock: GrowingClock; times?: Partial<DeriverTimes> }) {
    this.store = deps.store
    this.logger = deps.logger
    this.writes = new WritesInProgress(deps.insertClock)
    this.times = { ...defaultTimes, ...deps.times }
    this.watermark = new MovingWatermark({ store: deps.store, logger: deps.logger, find: () => this.derivedBefore })
    this.quarantine = new Quarantine(deps.store)
    this.queue = new ProjectQueue({
      quarantine: this.quarantine,
      retryTimes: this.times.retry,
      runStep: (batch, lane) => this.runStep(batch, lane),
    })
    this.failedSteps = new FailedSteps({
      store: this.store,
      logger: this.logger,
      times: this.times,
      quarantine: this.quarantine,
      queue: this.queue,
    })
  }

  /**
   * Runs the recovery of a start: readers of a project wait for it, and the watermark stays where it is until it is done,
   * because the calls that it looks for are not pending here yet. Never rejects: failures are logged, and it goes on.
   */
  async recover(recovery: Recovery): Promise<void> {
    this.recovery = recovery
    this.recovering = this.runRecovery(recovery)
    await this.recovering
  }

  private async runRecovery(recovery: Recovery): Promise<void> {
    const { logger, closing, times } = this
    const isDone = await runRecovery(recovery, { logger, signal: closing.signal, retry: times.retry })
    if (isDone) this.recovery = undefined
  }

  /** A reading of the clock such that all calls with a lower `inserted_at` are stored. */
  get storedBefore(): number {
    return this.writes.storedBefore
  }

  /** A reading of the clock such that all calls that are stored now have a lower `inserted_at`. */
  get begunBefore(): number {
    return this.writes.begunBefore
  }

  /**
   * Whether calls of the project may have been inserted at this time or later by this process. Of processes that share its store
   * it does not know.
   */
  hasInsertedSince(projectId: string, insertedAt: number): boolean {
    return this.writes.hasInsertedSince(projectId, insertedAt)
  }

  /**
   * Call it before parts of these calls are inserted, with `insertedAt` (microseconds since 1970) as their `inserted_at`, and
   * `end` afterwards, also when that failed.
   */
  trackWrite(callIdsByProject: ReadonlyMap<string, Iterable<string>>): { insertedAt: number; end: () => void } {
    const { insertedAt, end } = this.writes.begin(callIdsByProject.keys())
    return {
      insertedAt,
      end: () => {
        end()
        for (const [projectId, callIds] of callIdsByProject) this.addCalls(projectId, callIds, insertedAt)
      },
    }
  }

  /** Adds calls that are stored, none of them with a lower `inserted_at` than `since`. */
  addCalls(projectId: string, callIds: Iterable<string>, since: number): void {
    this.queue.addCalls(projectId, callIds, since)
  }

  /** Tries again what another version of the derivation set aside. */
  async tryQuarantined(): Promise<void> {
    for (const { kind, project_id: projectId, id } of await this.quarantine.load()) {
      if (kind === 'call') this.addCalls(projectId, [id], Infinity)
      else if (kind === 'thread') this.queue.addThread(projectId, id)
    }
  }

  /**
   * Calls `watcher` for each thread whose row may have changed: after that, and before `flush` resolves. It must not throw.
   * Only for a process with a store of its own: what others derive is not seen.
   */
  watchThreads(watcher: (projectId: string, threadId: string) => void): void {
    this.threadWatchers.push(watcher)
  }

  /** Whether parts of more calls of the project may be written now. */
  hasCapacity(projectId: string): boolean {
    return this.queue.hasCapacity(projectId)
  }

  /** The same for writers who can wait: they leave less pending of a project that somebody reads, whose next page waits for it. */
  hasCapacityForWriters(projectId: string): boolean {
    return this.isRead(projectId) ? this.queue.hasCapacityBesideReaders(projectId) : this.queue.hasCapacity(projectId)
  }

  /** Whether somebody has read the project a moment ago, and will probably read it again. */
  isRead(projectId: string): boolean {
    return this.reads.has(projectId)
  }

  /** Resolves when some calls were derived, so that a project may have capacity again. */
  async waitForCapacity(): Promise<void> {
    await this.queue.waitForCapacity()
  }

  /**
   * For readers: resolves when everything of the project that was written before is derived or set aside. Rejects with the
   * `StoreError` of a store that cannot derive now, and with a `DerivationBehindError` after some seconds.
   */
  async flush(projectId: string, options: FlushOptions = {}): Promise<void> {
    this.noteRead(projectId)
    await this.waitUntilDerived(projectId, options)
  }

  /** Somebody reads the project, or wants to be told of what is new in it. */
  noteRead(projectId: string): void {
    this.reads.note(projectId)
  }

  /** The same for the service itself. */
  async waitUntilDerived(projectId: string, { signal, maxWaitMs }: FlushOptions = {}): Promise<void> {
    if (!this.recovery && !this.queue.projects.has(projectId)) return
    let hasLeft = false
    let leave: (() => void) | undefined
    const waitForSteps = async () => {
      if (this.recovery) await this.recovery.waitFor(projectId)
      const project = this.queue.projects.get(projectId)
      const { lastOrder } = this.queue
      if (hasLeft || !project || oldestOrder(project) > lastOrder) return
      const derived = new Promise<void>((resolve, reject) => {
        const waiter = { upTo: lastOrder, resolve, reject }
        leave = () => project.waiters?.delete(waiter)
        addWaiter(project, waiter)
      })
      this.queue.hurry(project)
      await derived
    }
    try {
      await waitAsReader(waitForSteps(), { signal, maxWaitMs: maxWaitMs ?? this.times.maxReaderWaitMs })
    } finally {
      hasLeft = true
      leave?.()
    }
  }

  /** The same for all projects. */
  async flushAll(maxWaitMs?: number): Promise<void> {
    const options = maxWaitMs === undefined ? {} : { maxWaitMs }
    await Promise.all([...this.queue.projects.keys()].map((projectId) => this.waitUntilDerived(projectId, options)))
  }

  /** Derives what is pending, within some seconds. The next start derives the rest. Never rejects. */
  async close(): Promise<void> {
    await this.flushAll(this.times.maxCloseWaitMs).catch((err: unknown) =>
      this.logger.warn({ err }, 'some turns are derived at the next start'),
    )
    this.queue.stop()
    this.closing.abort()
    await this.recovering
    await this.queue.close()
    await this.watermark.tryToMove()
  }

  /** Never rejects. */
  private async runStep(batch: Batch, lane: Lane): Promise<void> {
    const startMs = performance.now()
    try {
      batch.derivation ??= deriveBatch(withShare(this.store, turnShare), batch)
      for (;;) {
        const stepStartMs = performance.now()
        // A statement that failed may have written too.
        const { value: progress, done } = await batch.derivation.next().finally(() => this.noteThreads(batch))
        const isSlow = this.stepSizes.note(batch, performance.now() - stepStartMs)
        addChangedTurns(batch, progress.changed)
        if (done && progress.rest) return await this.continueApart(batch, progress.rest)
        if (done) return await this.finish(batch, batch.projects.values())
        if (performance.now() - startMs > minTurnMs) return this.queue.addBatch(batch, isSlow ? 'careful' : lane)
      }
    } catch (error) {
      await this.failedSteps.handle(batch, error)
    }
  }

  private noteThreads({ kind, items }: Batch): void {
    if (kind !== 'thread') return
    for (const { project, id } of items) for (const watcher of this.threadWatchers) watcher(project.id, id)
  }

  /** The projects with much more to do go on one by one; the others are done. */
  private async continueApart(batch: Batch, rest: ReadonlyMap<string, Derivation>): Promise<void> {
    const projects = [...batch.projects.values()]
    // First: where this fails, the whole batch is tried again, so nothing of it may go on beside that.
    await this.finish(
      batch,
      projects.filter((project) => !rest.has(project.id)),
    )
    for (const project of projects) {
      const derivation = rest.get(project.id)
      if (!derivation) continue
      const own = batch.items.filter((item) => item.project === project)
      const next: Batch = { ...toBatch(batch.kind, own, batch.suspect), derivation }
      replaceSuspect(project, batch, next)
      this.queue.addBatch(next, 'careful')
    }
  }

  private async finish(batch: Batch, projects: Iterable<ProjectWork>): Promise<void> {
    const finished = [...projects]
    for (const item of batch.items) {
      const key = toQuarantined(batch.kind, item)
      if (!this.quarantine.has(key) || !finished.includes(item.project)) continue
      await this.quarantine.release(key)
      this.logger.info(toLoggedItem(key), `a ${batch.kind} that was set aside could be derived`)
    }
    const recovered = finished.filter((project) => project.failures > 0)
    if (recovered.length > 0) this.logger.info(toLoggedProjects(recovered), 'turns are derived again')
    for (const project of finished) {
      project.failures = 0
      this.queue.end(batch, project)
      this.queue.advance(project)
    }
    this.watermark.moveNowAndThen()
  }

  /** All calls with a lower `inserted_at` are derived; undefined while those of the last run are not known. */
  private get derivedBefore(): number | undefined {
    if (this.recovery) return undefined
    let since = this.storedBefore
    for (const project of this.queue.projects.values()) since = Math.min(since, oldestOrigin(project).since)
    return since
  }
}

function replaceSuspect(project: ProjectWork, batch: Batch, next: Batch): void {
  const origin = project.suspects?.get(batch)
  if (!origin) return
  project.suspects?.delete(batch)
  addSuspect(project, next, origin)
}
