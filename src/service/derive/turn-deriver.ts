import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { GrowingClock } from '../lib/growing-clock'
import type { Store } from '../store/store'
import { StoreError, toStoreError } from '../store/store-error'
import { type Derivation, runDerivation, type TurnKey } from './derivation'
import { DerivationBehindError } from './derivation-behind-error'
import { classifyFailure, type DerivationFailure } from './derivation-failure'
import { deriveThreads, deriveWholeThread } from './derive-threads'
import { deriveTurns } from './derive-turns'
import { earliest, type Origin, PendingWork } from './pending-work'
import { Quarantine, type Quarantined } from './quarantine'
import { StepQueue, type Lane } from './step-queue'
import { writeWatermark } from './watermark'

// From a written call to a thread:
// 1. The call writer inserts rows into `calls` and tells the TurnDeriver which calls they are parts of (`trackWrite`).
// 2. Shortly after, or as soon as somebody wants to read (`flush`), the project's round begins: all that is pending.
//    derive-turns.ts reads up to a thousand calls back at once, merged, of several projects where each has few.
// 3. It writes a row to `turns` for each call that is a turn, and retracts rows of calls that are none any more; for spans
//    of OTLP conversations derive-conversation-turns.ts decides that by their parents.
// 4. derive-threads.ts copies the changed turns to `turns_by_start` and computes the rows of their threads in `threads`.
// 5. The watermark says up to when all calls are derived; at the next start recover-derived.ts derives the later ones again.
//
// Steps of different projects take turns (step-queue.ts). What fails because of its data is halved until the call or the
// thread is found that fails alone, and that is set aside (quarantine.ts). What fails because of the store is tried again.

/** Times that tests shorten. */
export type DeriverTimes = {
  /** A reader waits so long for its project. */
  maxReaderWaitMs: number
  /** At the end of the process: what is not derived by then, the next start derives. */
  maxCloseWaitMs: number
  /** Pauses between attempts at one call or thread, before it is set aside. */
  pausesMs: readonly number[]
  /** The same where memory or time ran out, of which others may have taken most. */
  pausesUnderLoadMs: readonly number[]
}

const defaultTimes: DeriverTimes = {
  maxReaderWaitMs: 10_000,
  maxCloseWaitMs: 4000,
  pausesMs: [1000, 3000],
  pausesUnderLoadMs: [1000, 5000, 15_000, 30_000, 60_000],
}

const minDelayMs = 50
const minRetryMs = 1000
const maxRetryMs = 60_000
const watermarkIntervalMs = 10_000
const maxStepCalls = 1000
const minStepItems = 10
const maxStepTurns = 10_000
/** A step that takes longer counts as slow: its project's next steps run one at a time with other slow ones. */
const slowStepMs = 500
/** With so many pending calls a project's round begins at once. */
const callsPerRound = 5000
/** Backpressure: with more pending calls than this, the writers of the project wait. */
const maxPendingCallsOfProject = 20_000
/** With more in all projects, each project gets an equal part. A call takes about 200 bytes here. */
const maxPendingCalls = 500_000

type Waiter = { upTo: number; resolve: () => void; reject: (error: unknown) => void }

type Project = {
  readonly id: string
  /** What waits for the next round. */
  pending: PendingWork
  /** What is being derived. */
  round: PendingWork | undefined
  roundMs: number
  /** Whether a step of the round is queued as a batch or running. */
  isBusy: boolean
  /** Calls and threads that failed with others and are tried apart from the round. */
  readonly suspects: Map<Batch, Origin>
  /** Calls that are not derived, wherever they are. */
  openCalls: number
  readonly waiters: Set<Waiter>
  timer: NodeJS.Timeout | undefined
  delayMs: number
  isSlow: boolean
  maxStepItems: number
  /** How many projects may share a step with it. */
  maxStepProjects: number
  failures: number
  lastFailureMs: number
}

type Item = { project: Project; id: string; turnIds: ReadonlySet<string> }

/** Calls, or threads with changed turns, that are derived together. */
type Batch = {
  readonly kind: 'call' | 'thread'
  readonly items: readonly Item[]
  readonly projects: ReadonlyMap<string, Project>
  readonly itemCounts: ReadonlyMap<Project, number>
  derivation: Derivation | undefined
  /** Set for calls or threads that have failed. */
  readonly suspect: { attempts: number; cause: DerivationFailure['cause'] } | undefined
}

/** Derives what the last process left. Both may be called again after they failed. */
export type Recovery = {
  run: (signal: AbortSignal) => Promise<void>
  /** Resolves when all calls of the project that the last process left are known to the deriver. */
  waitFor: (projectId: string) => Promise<void>
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
  private readonly projects = new Map<string, Project>()
  private readonly insertClock: GrowingClock
  private readonly writesInProgress = new Set<{ since: number }>()
  private readonly capacityWaiters = new Set<() => void>()
  private readonly queue: StepQueue<Project | Batch>
  private order = 0
  private openCalls = 0
  /** Near the median of the steps. */
  private typicalStepMs = 20
  private watermarkTriedMs = performance.now()
  private recovery: Recovery | undefined
  private recovering: Promise<void> | undefined
  private readonly closing = new AbortController()

  constructor(deps: { store: Store; logger: Logger; insertClock: GrowingClock; times?: Partial<DeriverTimes> }) {
    this.store = deps.store
    this.logger = deps.logger
    this.insertClock = deps.insertClock
    this.times = { ...defaultTimes, ...deps.times }
    this.quarantine = new Quarantine(deps.store)
    this.queue = new StepQueue((first, lane, others) => this.startStep(first, lane, others))
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
    const { signal } = this.closing
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        await recovery.run(signal)
        if (signal.aborted) return
        if (failures > 0) this.logger.info('turns of the last run are recovered')
        this.recovery = undefined
        return
      } catch (err) {
        if (signal.aborted) return
        const retryMs = toRetryMs(failures + 1)
        if (failures === 0) this.logger.error({ err, retryMs }, 'turns of the last run could not be recovered, trying again')
        await wait(retryMs, undefined, { ref: false, signal }).catch(() => undefined)
      }
    }
  }

  /**
   * Call it before parts of these calls are inserted, with `insertedAt` (microseconds since 1970) as their `inserted_at`, and
   * `end` afterwards, also when that failed.
   */
  trackWrite(callIdsByProject: ReadonlyMap<string, Iterable<string>>): { insertedAt: number; end: () => void } {
    const write = { since: this.insertClock.next() }
    this.writesInProgress.add(write)
    const end = () => {
      this.writesInProgress.delete(write)
      for (const [projectId, callIds] of callIdsByProject) this.addCalls(projectId, callIds, write.since)
    }
    return { insertedAt: write.since, end }
  }

  /** Adds calls that are stored, none of them with a lower `inserted_at` than `since`. */
  addCalls(projectId: string, callIds: Iterable<string>, since: number): void {
    const project = this.projectOf(projectId)
    const before = project.pending.callCount
    project.pending.addCalls(callIds, this.newOrigin(since))
    this.countCalls(project, project.pending.callCount - before)
    this.schedule(project)
  }

  /** Tries again what another version of the derivation set aside. */
  async tryQuarantined(): Promise<void> {
    for (const { kind, project_id: projectId, id } of await this.quarantine.load()) {
      if (kind === 'call') this.addCalls(projectId, [id], Infinity)
      else this.addStoredThread(projectId, id)
    }
  }

  private addStoredThread(projectId: string, threadId: string): void {
    const project = this.projectOf(projectId)
    project.pending.addTurns(threadId, [], this.newOrigin(Infinity))
    this.schedule(project)
  }

  /** Whether parts of more calls of the project may be written now. */
  hasCapacity(projectId: string): boolean {
    const own = this.projects.get(projectId)?.openCalls ?? 0
    if (own > maxPendingCallsOfProject) return false
    return this.openCalls <= maxPendingCalls || own <= maxPendingCalls / this.projects.size
  }

  /** Resolves when some calls were derived, so that a project may have capacity again. */
  async waitForCapacity(): Promise<void> {
    await new Promise<void>((resolve) => this.capacityWaiters.add(resolve))
  }

  /**
   * Resolves when everything of the project that was written before is derived or set aside. Rejects with the `StoreError` of
   * a store that cannot derive now, and with a `DerivationBehindError` after some seconds.
   */
  async flush(projectId: string, { signal, maxWaitMs }: { signal?: AbortSignal | undefined; maxWaitMs?: number } = {}) {
    if (!this.recovery && !this.projects.has(projectId)) return
    const waiters: { project: Project; waiter: Waiter }[] = []
    let stopWaiting = () => {}
    const stopped = new Promise<never>((_, reject) => {
      const timer = setTimeout(() => reject(new DerivationBehindError(5)), maxWaitMs ?? this.times.maxReaderWaitMs)
      const onAbort = () => reject(new StoreError('aborted', 'The request was aborted while its turns were computed.'))
      signal?.addEventListener('abort', onAbort, { once: true })
      stopWaiting = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
    })
    try {
      if (this.recovery) await Promise.race([this.recovery.waitFor(projectId), stopped])
      const project = this.projects.get(projectId)
      if (!project || oldestOrder(project) > this.order) return
      const derived = new Promise<void>((resolve, reject) => {
        const waiter = { upTo: this.order, resolve, reject }
        waiters.push({ project, waiter })
        project.waiters.add(waiter)
      })
      this.hurry(project)
      await Promise.race([derived, stopped])
    } finally {
      stopWaiting()
      for (const { project, waiter } of waiters) project.waiters.delete(waiter)
    }
  }

  /** The same for all projects. */
  async flushAll(maxWaitMs?: number): Promise<void> {
    const options = maxWaitMs === undefined ? {} : { maxWaitMs }
    await Promise.all([...this.projects.keys()].map((projectId) => this.flush(projectId, options)))
  }

  /** Derives what is pending, within some seconds. The next start derives the rest. */
  async close(): Promise<void> {
    await this.flushAll(this.times.maxCloseWaitMs).catch((err: unknown) =>
      this.logger.warn({ err }, 'some turns are derived at the next start'),
    )
    this.closing.abort()
    await this.recovering
    await this.queue.close()
    for (const project of this.projects.values()) clearTimeout(project.timer)
    for (const resolve of this.capacityWaiters) resolve()
    await this.moveWatermark()
  }

  private newOrigin(since: number): Origin {
    this.order += 1
    return { order: this.order, since }
  }

  private projectOf(projectId: string): Project {
    const known = this.projects.get(projectId)
    if (known) return known
    const project: Project = {
      id: projectId,
      pending: new PendingWork(),
      round: undefined,
      roundMs: 0,
      isBusy: false,
      suspects: new Map(),
      openCalls: 0,
      waiters: new Set(),
      timer: undefined,
      delayMs: minDelayMs,
      isSlow: false,
      maxStepItems: maxStepCalls,
      maxStepProjects: maxStepCalls,
      failures: 0,
      lastFailureMs: 0,
    }
    this.projects.set(projectId, project)
    return project
  }

  private countCalls(project: Project, difference: number): void {
    project.openCalls += difference
    this.openCalls += difference
    if (difference >= 0) return
    for (const resolve of this.capacityWaiters) resolve()
    this.capacityWaiters.clear()
  }

  /** Sees to it that what is pending is derived, soon. */
  private schedule(project: Project): void {
    if (project.isBusy || this.closing.signal.aborted || this.queue.has(project)) return
    if (project.waiters.size > 0) return this.hurry(project)
    if (project.failures === 0 && project.pending.callCount >= callsPerRound) return this.enqueue(project)
    const retryMs = project.failures > 0 ? toRetryMs(project.failures) : 0
    this.startTimer(project, Math.max(project.delayMs, project.lastFailureMs + retryMs - performance.now()))
  }

  /** The same at once, because somebody waits. After a failure of the store not more often than each second. */
  private hurry(project: Project): void {
    if (project.isBusy || this.closing.signal.aborted || (!project.round && project.pending.isEmpty)) return
    const pauseMs = project.failures > 0 ? project.lastFailureMs + minRetryMs - performance.now() : 0
    if (pauseMs <= 0) return this.enqueue(project)
    clearTimeout(project.timer)
    project.timer = undefined
    this.startTimer(project, pauseMs)
  }

  private startTimer(project: Project, delayMs: number): void {
    project.timer ??= setTimeout(() => {
      project.timer = undefined
      if (!project.isBusy) this.enqueue(project)
    }, delayMs).unref()
  }

  private enqueue(project: Project): void {
    clearTimeout(project.timer)
    project.timer = undefined
    if (!project.round && project.pending.isEmpty) this.forgetIfIdle(project)
    else this.queue.add(project, project.isSlow ? 'careful' : project.waiters.size > 0 ? 'reader' : 'background')
  }

  private forgetIfIdle(project: Project): void {
    if (oldestOrder(project) === Infinity && project.waiters.size === 0) this.projects.delete(project.id)
  }

  private startStep(first: Project | Batch, lane: Lane, others: Iterable<Project | Batch>): Promise<void> | undefined {
    const batch = 'items' in first ? first : this.toBatch(first, lane, others)
    return batch && this.runStep(batch, lane)
  }

  /** Takes what fits one step from the project and, where there is room, from others. */
  private toBatch(first: Project, lane: Lane, others: Iterable<Project | Batch>): Batch | undefined {
    beginRound(first)
    const kind = first.round && first.round.callCount > 0 ? 'call' : 'thread'
    const items = this.takeItems(first, kind, first.maxStepItems)
    let room = maxStepCalls - countRows(items)
    let maxProjects = lane === 'careful' ? 1 : first.maxStepProjects
    let projectCount = 1
    for (const other of others) {
      if (room <= 0 || projectCount >= maxProjects) break
      if ('items' in other || projectCount >= other.maxStepProjects) continue
      beginRound(other)
      if (other.round && other.round.callCount > 0 !== (kind === 'call')) continue
      this.queue.delete(other)
      const more = this.takeItems(other, kind, Math.min(room, other.maxStepItems))
      items.push(...more)
      room -= countRows(more)
      projectCount += 1
      maxProjects = Math.min(maxProjects, other.maxStepProjects)
    }
    return items.length > 0 ? toBatch(kind, items) : undefined
  }

  /** Takes calls or threads of the round. What is set aside already is tried apart, so that it stops nothing else. */
  private takeItems(project: Project, kind: Batch['kind'], max: number): Item[] {
    const { round } = project
    if (!round) return []
    const items: Item[] =
      kind === 'call'
        ? round.takeCalls(max).map((id) => ({ project, id, turnIds: noTurns }))
        : round.takeThreads(max, maxStepTurns).map(({ threadId, turnIds }) => ({ project, id: threadId, turnIds }))
    const isHeld = (item: Item) => this.quarantine.has(toQuarantined(kind, item))
    for (const item of items.filter(isHeld)) {
      const batch = toBatch(kind, [item], { attempts: Infinity, cause: 'data' })
      project.suspects.set(batch, round.origin)
      this.queue.add(batch, 'careful')
    }
    const others = items.filter((item) => !isHeld(item))
    project.isBusy = others.length > 0
    if (others.length === 0) this.advance(project)
    return others
  }

  /** Never rejects. */
  private async runStep(batch: Batch, lane: Lane): Promise<void> {
    const startMs = performance.now()
    try {
      batch.derivation ??= this.derive(batch)
      const { value: progress, done } = await batch.derivation.next()
      const durationMs = performance.now() - startMs
      this.noteDuration(batch, durationMs)
      if (progress) addChangedTurns(batch, progress.changed)
      if (progress?.rest) return await this.continueApart(batch, progress.rest)
      if (done) return await this.finish(batch, batch.projects.values())
      this.queue.add(batch, durationMs > slowStepMs ? 'careful' : lane)
    } catch (error) {
      await this.handleFailure(batch, error)
    }
  }

  private derive({ kind, items, suspect }: Batch): Derivation {
    const isHeld = suspect?.attempts === Infinity
    if (kind === 'call') {
      const calls = items.map(({ project, id }) => ({ project_id: project.id, id }))
      return deriveTurns(this.store, calls)
    }
    const [first] = items
    if (first && isHeld) return deriveWholeThread(this.store, { project_id: first.project.id, thread_id: first.id })
    const turns = items.flatMap(({ project, id: threadId, turnIds }) =>
      [...turnIds].map((id) => ({ project_id: project.id, thread_id: threadId, id })),
    )
    return deriveThreads(this.store, turns)
  }

  /**
   * Slow steps get smaller: by fewer projects, then by fewer calls. A project that is slow alone goes to the careful lane. On
   * a busy machine every step takes long, so slow means slow beside the typical one.
   */
  private noteDuration(batch: Batch, durationMs: number): void {
    if (batch.suspect) return
    const isSlow = durationMs > Math.max(slowStepMs, 10 * this.typicalStepMs)
    const isFast = durationMs < Math.max(slowStepMs / 4, 2 * this.typicalStepMs)
    this.typicalStepMs = Math.max(1, this.typicalStepMs * (durationMs > this.typicalStepMs ? 1.05 : 0.95))
    for (const project of batch.projects.values()) {
      project.roundMs += durationMs / batch.projects.size
      if (batch.projects.size > 1) {
        project.maxStepProjects = resize(project.maxStepProjects, { isSlow, isFast, min: 1 })
      } else {
        project.isSlow = isSlow
        project.maxStepItems = resize(project.maxStepItems, { isSlow, isFast, min: minStepItems })
        if (isFast) project.maxStepProjects = resize(project.maxStepProjects, { isSlow, isFast, min: 1 })
      }
    }
  }

  /** The projects with much more to do go on one by one; the others are done. */
  private async continueApart(batch: Batch, rest: ReadonlyMap<string, Derivation>): Promise<void> {
    const projects = [...batch.projects.values()]
    for (const project of projects) {
      const derivation = rest.get(project.id)
      if (!derivation) continue
      const own = batch.items.filter((item) => item.project === project)
      const next: Batch = { ...toBatch(batch.kind, own, batch.suspect), derivation }
      replaceSuspect(project, batch, next)
      this.queue.add(next, 'careful')
    }
    await this.finish(
      batch,
      projects.filter((project) => !rest.has(project.id)),
    )
  }

  private async finish(batch: Batch, projects: Iterable<Project>): Promise<void> {
    const finished = [...projects]
    for (const item of batch.items) {
      const key = toQuarantined(batch.kind, item)
      if (!this.quarantine.has(key) || !finished.includes(item.project)) continue
      await this.quarantine.release(key)
      this.logger.info(toLogged(key), `a ${batch.kind} that was set aside could be derived`)
    }
    const recovered = finished.filter((project) => project.failures > 0)
    if (recovered.length > 0) this.logger.info(toLoggedProjects(recovered), 'turns are derived again')
    for (const project of finished) {
      project.failures = 0
      this.end(batch, project)
      this.advance(project)
    }
    this.moveWatermarkNowAndThen()
  }

  /** The batch has no more to do for the project. */
  private end(batch: Batch, project: Project): void {
    if (batch.suspect) project.suspects.delete(batch)
    else project.isBusy = false
    if (batch.kind === 'call') this.countCalls(project, -(batch.itemCounts.get(project) ?? 0))
  }

  /** Goes on with the round, or ends it. */
  private advance(project: Project): void {
    if (project.round?.isEmpty && !project.isBusy) {
      // Where computing the threads takes long, wait longer: a fifth of one core at most.
      project.delayMs = Math.max(minDelayMs, 4 * project.roundMs)
      project.round = undefined
      project.roundMs = 0
    }
    const oldest = oldestOrder(project)
    for (const { upTo, resolve } of project.waiters) if (upTo < oldest) resolve()
    if (project.isBusy) return
    if (project.round) this.enqueue(project)
    else if (!project.pending.isEmpty) this.schedule(project)
    else if (project.delayMs > minDelayMs && !this.closing.signal.aborted) this.startTimer(project, project.delayMs)
    else this.forgetIfIdle(project)
  }

  private async handleFailure(batch: Batch, error: unknown): Promise<void> {
    try {
      const failure = classifyFailure(error)
      if (failure.cause === 'store' || !(await this.isStoreWorking(batch.kind))) return this.retryLater(batch, error)
      if (batch.items.length > 1) return this.split(batch)
      await this.tryAgainOrQuarantine(batch, failure)
    } catch (quarantineError) {
      this.retryLater(batch, quarantineError)
    }
  }

  /** Whether the same statements succeed where there is nothing to derive. */
  private async isStoreWorking(kind: Batch['kind']): Promise<boolean> {
    const nothing = { project_id: '', thread_id: '', id: '' }
    try {
      await runDerivation(kind === 'call' ? deriveTurns(this.store, [nothing]) : deriveThreads(this.store, [nothing]))
      return true
    } catch {
      // The failure that this was asked for is logged.
      return false
    }
  }

  /** One of several calls or threads cannot be derived: each half is tried apart from the round, which goes on. */
  private split(batch: Batch): void {
    const middle = batch.items.length >> 1
    for (const items of [batch.items.slice(0, middle), batch.items.slice(middle)]) {
      const half = toBatch(batch.kind, items, { attempts: 0, cause: 'data' })
      for (const project of half.projects.values()) project.suspects.set(half, originOf(batch, project))
      this.queue.add(half, 'careful')
    }
    for (const project of batch.projects.values()) {
      if (batch.suspect) project.suspects.delete(batch)
      else project.isBusy = false
    }
    for (const project of batch.projects.values()) this.advance(project)
  }

  private async tryAgainOrQuarantine(batch: Batch, failure: DerivationFailure): Promise<void> {
    const [item] = batch.items
    if (!item) return
    const { project } = item
    const attempts = (batch.suspect?.attempts ?? 0) + 1
    const cause = batch.suspect?.cause === 'load' ? 'load' : failure.cause
    const pausesMs = cause === 'load' ? this.times.pausesUnderLoadMs : this.times.pausesMs
    const pauseMs = pausesMs[attempts - 1]
    if (pauseMs === undefined) {
      const key = toQuarantined(batch.kind, item)
      const isNew = !this.quarantine.has(key)
      await this.quarantine.add(key, failure.reason)
      if (isNew)
        this.logger.error({ ...toLogged(key), reason: failure.reason }, `a ${batch.kind} cannot be derived and is set aside`)
      this.end(batch, project)
    } else {
      const again = toBatch(batch.kind, batch.items, { attempts, cause })
      project.suspects.set(again, originOf(batch, project))
      if (batch.suspect) project.suspects.delete(batch)
      else project.isBusy = false
      setTimeout(() => this.queue.add(again, 'careful'), pauseMs).unref()
    }
    this.advance(project)
  }

  /** The store cannot derive anything now: everything waits, and readers get the error. */
  private retryLater(batch: Batch, error: unknown): void {
    const projects = [...batch.projects.values()]
    const newlyFailing = projects.filter((project) => project.failures === 0)
    const nowMs = performance.now()
    for (const project of projects) {
      project.failures += 1
      project.lastFailureMs = nowMs
    }
    if (newlyFailing.length > 0) {
      const callCount = newlyFailing.reduce((sum, project) => sum + project.openCalls, 0)
      this.logger.error(
        { err: error, ...toLoggedProjects(newlyFailing), callCount, retryMs: minRetryMs },
        'turns could not be derived, trying again',
      )
    }
    if (batch.suspect) {
      const retryMs = toRetryMs(Math.max(...projects.map(({ failures }) => failures)))
      batch.derivation = undefined
      setTimeout(() => this.queue.add(batch, 'careful'), retryMs).unref()
    } else {
      for (const item of batch.items) returnItem(batch.kind, item)
      for (const project of projects) this.endRound(project)
    }
    const storeError = toStoreError(error)
    for (const project of projects) {
      for (const { reject } of project.waiters) reject(storeError)
      project.waiters.clear()
      this.schedule(project)
    }
  }

  /** All of the round is pending again. */
  private endRound(project: Project): void {
    const { round, pending } = project
    project.isBusy = false
    if (!round) return
    const before = round.callCount + pending.callCount
    round.merge(pending)
    project.pending = round
    project.round = undefined
    this.countCalls(project, round.callCount - before)
  }

  private moveWatermarkNowAndThen(): void {
    const nowMs = performance.now()
    if (nowMs - this.watermarkTriedMs < watermarkIntervalMs) return
    this.watermarkTriedMs = nowMs
    this.moveWatermark().catch((err: unknown) => {
      this.logger.error({ err }, 'the watermark of derived calls could not be written')
    })
  }

  private async moveWatermark(): Promise<void> {
    if (this.recovery) return
    // Everything that is tracked later gets a later reading of the clock.
    let since = this.insertClock.next()
    for (const write of this.writesInProgress) since = Math.min(since, write.since)
    for (const project of this.projects.values()) since = Math.min(since, oldestOrigin(project).since)
    await writeWatermark(this.store, since)
  }
}

const noTurns: ReadonlySet<string> = new Set()

function toBatch(kind: Batch['kind'], items: readonly Item[], suspect?: Batch['suspect']): Batch {
  const projects = new Map(items.map(({ project }) => [project.id, project]))
  const itemCounts = new Map<Project, number>()
  for (const { project } of items) itemCounts.set(project, (itemCounts.get(project) ?? 0) + 1)
  return { kind, items, projects, itemCounts, derivation: undefined, suspect }
}

/** What the items cost a statement: each is a call, or a thread with its changed turns. */
function countRows(items: readonly Item[]): number {
  return items.reduce((sum, { turnIds }) => sum + Math.max(1, turnIds.size), 0)
}

function beginRound(project: Project): void {
  if (project.round) return
  project.round = project.pending
  project.pending = new PendingWork()
}

function returnItem(kind: Batch['kind'], { project, id, turnIds }: Item): void {
  if (kind === 'call') project.round?.addCalls([id], project.round.origin)
  else project.round?.addTurns(id, turnIds, project.round.origin)
}

/** Changed turns of a round belong to it; those of suspects wait for the next one. */
function addChangedTurns(batch: Batch, turns: readonly TurnKey[]): void {
  for (const turn of turns) {
    const project = batch.projects.get(turn.project_id)
    if (!project) continue
    const work = batch.suspect ? project.pending : (project.round ?? project.pending)
    work.addTurns(turn.thread_id, [turn.id], originOf(batch, project))
  }
}

function replaceSuspect(project: Project, batch: Batch, next: Batch): void {
  const origin = project.suspects.get(batch)
  if (!origin) return
  project.suspects.delete(batch)
  project.suspects.set(next, origin)
}

function originOf(batch: Batch, project: Project): Origin {
  return project.suspects.get(batch) ?? project.round?.origin ?? project.pending.origin
}

function oldestOrigin(project: Project): Origin {
  const works = [project.pending, ...(project.round ? [project.round] : [])]
  return [...works.map(({ origin }) => origin), ...project.suspects.values()].reduce(earliest)
}

function oldestOrder(project: Project): number {
  return oldestOrigin(project).order
}

/** Halves or doubles the size of the next steps. */
function resize(size: number, { isSlow, isFast, min }: { isSlow: boolean; isFast: boolean; min: number }): number {
  if (isSlow) return Math.max(min, size >> 1)
  return isFast ? Math.min(maxStepCalls, size * 2) : size
}

function toRetryMs(failures: number): number {
  return Math.min(maxRetryMs, minRetryMs * 2 ** (failures - 1))
}

function toQuarantined(kind: Batch['kind'], { project, id }: Item): Quarantined {
  return { kind, project_id: project.id, id }
}

const maxLoggedLength = 200
const maxLoggedProjects = 5

function toLogged({ project_id: projectId, id }: Quarantined) {
  return { projectId, id: id.slice(0, maxLoggedLength) }
}

function toLoggedProjects(projects: readonly Project[]) {
  return { projectCount: projects.length, projectIds: projects.slice(0, maxLoggedProjects).map(({ id }) => id) }
}
