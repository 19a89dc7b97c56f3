import { type Batch, countRows, type Item, toBatch, toQuarantined } from './batch'
import type { Origin } from './pending-work'
import {
  addSuspect,
  beginRound,
  createProjectWork,
  maxSharedStepCalls,
  maxStepIdCharacters,
  minDelayMs,
  oldestOrder,
  type ProjectWork,
  returnRound,
} from './project-work'
import type { Quarantine } from './quarantine'
import { type RetryTimes, toRetryMs } from './retry-times'
import { type Lane, StepQueue } from './step-queue'

const maxStepTurns = 10_000
const maxStepThreads = 2000
/** With so many pending calls a project's round begins at once. While somebody reads the project, its writers wait from then on. */
const callsPerRound = 5000
/** Backpressure: with more pending calls than this, the writers of the project wait. */
const maxPendingCallsOfProject = 20_000
/** With more in all projects, each project gets an equal part. A call takes about 200 bytes here. */
const maxPendingCalls = 500_000

type Deps = { quarantine: Quarantine; retryTimes: RetryTimes; runStep: (batch: Batch, lane: Lane) => Promise<void> }

/**
 * Decides when which calls and threads of which projects are derived. A project's round is all that was pending when it
 * began; its steps take turns with those of other projects, and several small projects share a step.
 */
export class ProjectQueue {
  readonly projects = new Map<string, ProjectWork>()
  private readonly steps: StepQueue<ProjectWork | Batch>
  private readonly capacityWaiters = new Set<() => void>()
  private order = 0
  private openCalls = 0
  private isClosing = false

  constructor(private readonly deps: Deps) {
    this.steps = new StepQueue((first, lane, others) => this.startStep(first, lane, others))
  }

  /** The number of the last work that came. */
  get lastOrder(): number {
    return this.order
  }

  addCalls(projectId: string, callIds: Iterable<string>, since: number): void {
    const project = this.projectOf(projectId)
    const before = project.pending.callCount
    project.pending.addCalls(callIds, this.newOrigin(since))
    this.countCalls(project, project.pending.callCount - before)
    this.schedule(project)
  }

  /** Adds a thread whose changed turns are not known. */
  addThread(projectId: string, threadId: string): void {
    const project = this.projectOf(projectId)
    project.pending.addTurns(threadId, [], this.newOrigin(Infinity))
    this.schedule(project)
  }

  /** Adds what is to go on. In the background it may be one of many projects that somebody waits for. */
  addBatch(batch: Batch, lane: Lane): void {
    const isAwaited = [...batch.projects.values()].some((project) => project.waiters?.size)
    this.steps.add(batch, lane === 'background' && isAwaited ? 'reader' : lane)
  }

  /** Whether parts of more calls of the project may be written now. */
  hasCapacity(projectId: string): boolean {
    const own = this.openCallsOf(projectId)
    if (own > maxPendingCallsOfProject) return false
    return this.openCalls <= maxPendingCalls || own <= maxPendingCalls / this.projects.size
  }

  /**
   * The same for a project that somebody reads: no group is inserted while more than a round is pending, because each page waits
   * for what is pending. With the groups that are being inserted it may be two or three rounds. For 20,000 calls in as many threads
   * a page waits five seconds and more.
   */
  hasCapacityBesideReaders(projectId: string): boolean {
    return this.openCallsOf(projectId) <= callsPerRound && this.hasCapacity(projectId)
  }

  /** Resolves when some calls were derived, so that a project may have capacity again. */
  async waitForCapacity(): Promise<void> {
    await new Promise<void>((resolve) => this.capacityWaiters.add(resolve))
  }

  /** Begins no more rounds. */
  stop(): void {
    this.isClosing = true
  }

  /** Resolves when the steps that run have ended. */
  async close(): Promise<void> {
    this.stop()
    await this.steps.close()
    for (const project of this.projects.values()) clearTimeout(project.timer)
    for (const resolve of this.capacityWaiters) resolve()
  }

  /** Sees to it that what is pending is derived, soon. */
  schedule(project: ProjectWork): void {
    if (project.isBusy || this.isClosing || this.steps.has(project)) return
    if (project.waiters?.size) return this.hurry(project)
    if (project.failures === 0 && project.pending.callCount >= callsPerRound) return this.enqueue(project)
    const retryMs = project.failures > 0 ? toRetryMs(this.deps.retryTimes, project.failures) : 0
    this.startTimer(project, Math.max(project.delayMs, project.lastFailureMs + retryMs - performance.now()))
  }

  /** The same at once, because somebody waits. After a failure of the store only after the shortest pause. */
  hurry(project: ProjectWork): void {
    if (project.isBusy) return this.steps.hurry((entry) => 'items' in entry && entry.projects.has(project.id))
    if (this.isClosing || (!project.round && project.pending.isEmpty)) return
    const pauseMs = project.failures > 0 ? project.lastFailureMs + this.deps.retryTimes.minMs - performance.now() : 0
    if (pauseMs <= 0) return this.enqueue(project)
    clearTimeout(project.timer)
    project.timer = undefined
    this.startTimer(project, pauseMs)
  }

  /** The batch has no more to do for the project. */
  end(batch: Batch, project: ProjectWork): void {
    if (batch.suspect) project.suspects?.delete(batch)
    else project.isBusy = false
    if (batch.kind === 'call') this.countCalls(project, -(batch.itemCounts.get(project) ?? 0))
  }

  /** Goes on with the round, or ends it. */
  advance(project: ProjectWork): void {
    if (project.round?.isEmpty && !project.isBusy) {
      // Where computing the threads takes long, wait longer: a fifth of one core at most.
      project.delayMs = Math.max(minDelayMs, 4 * project.roundMs)
      project.round = undefined
      project.roundMs = 0
    }
    const oldest = oldestOrder(project)
    for (const { upTo, resolve } of project.waiters ?? []) if (upTo < oldest) resolve()
    if (project.isBusy) return
    if (project.round) this.enqueue(project)
    else if (!project.pending.isEmpty) this.schedule(project)
    else if (project.delayMs > minDelayMs && !this.isClosing) this.startTimer(project, project.delayMs)
    else this.forgetIfIdle(project)
  }

  /** All of the round is pending again. */
  returnRound(project: ProjectWork): void {
    this.countCalls(project, -returnRound(project))
  }

  private openCallsOf(projectId: string): number {
    return this.projects.get(projectId)?.openCalls ?? 0
  }

  private newOrigin(since: number): Origin {
    this.order += 1
    return { order: this.order, since }
  }

  private projectOf(projectId: string): ProjectWork {
    const project = this.projects.get(projectId) ?? createProjectWork(projectId)
    this.projects.set(projectId, project)
    return project
  }

  private countCalls(project: ProjectWork, difference: number): void {
    project.openCalls += difference
    this.openCalls += difference
    if (difference >= 0) return
    for (const resolve of this.capacityWaiters) resolve()
    this.capacityWaiters.clear()
  }

  private startTimer(project: ProjectWork, delayMs: number): void {
    project.timer ??= setTimeout(() => {
      project.timer = undefined
      if (!project.isBusy) this.enqueue(project)
    }, delayMs).unref()
  }

  private enqueue(project: ProjectWork): void {
    clearTimeout(project.timer)
    project.timer = undefined
    if (!project.round && project.pending.isEmpty) this.forgetIfIdle(project)
    else this.steps.add(project, project.isSlow ? 'careful' : project.waiters?.size ? 'reader' : 'background')
  }

  private forgetIfIdle(project: ProjectWork): void {
    if (oldestOrder(project) === Infinity && !project.waiters?.size) this.projects.delete(project.id)
  }

  private startStep(first: ProjectWork | Batch, lane: Lane, others: Iterable<ProjectWork | Batch>): Promise<void> | undefined {
    const batch = 'items' in first ? first : this.takeBatch(first, lane, others)
    return batch && this.deps.runStep(batch, lane)
  }

  /** Takes what fits one step from the project and, where there is room, from others. */
  private takeBatch(first: ProjectWork, lane: Lane, others: Iterable<ProjectWork | Batch>): Batch | undefined {
    beginRound(first)
    const kind = first.round && first.round.callCount > 0 ? 'call' : 'thread'
    const items = this.takeItems(first, kind, first.maxStepItems)
    let room = maxSharedStepCalls - countRows(items)
    let maxProjects = lane === 'careful' ? 1 : first.maxStepProjects
    let projectCount = 1
    for (const other of others) {
      if (room <= 0 || projectCount >= maxProjects) break
      if ('items' in other || projectCount >= other.maxStepProjects) continue
      beginRound(other)
      if (other.round && other.round.callCount > 0 !== (kind === 'call')) continue
      this.steps.delete(other)
      const more = this.takeItems(other, kind, Math.min(room, other.maxStepItems))
      items.push(...more)
      room -= countRows(more)
      projectCount += 1
      maxProjects = Math.min(maxProjects, other.maxStepProjects)
    }
    return items.length > 0 ? toBatch(kind, items) : undefined
  }

  /** Takes calls or threads of the round. What is set aside already is tried apart, so that it stops nothing else. */
  private takeItems(project: ProjectWork, kind: Batch['kind'], max: number): Item[] {
    const { round } = project
    if (!round) return []
    const items: Item[] =
      kind === 'call'
        ? round.takeCalls(max, maxStepIdCharacters).map((id) => ({ project, id, turnIds: noTurns }))
        : round
            .takeThreads(Math.min(max, maxStepThreads), maxStepTurns)
            .map(({ threadId, turnIds }) => ({ project, id: threadId, turnIds }))
    const isHeld = (item: Item) => this.deps.quarantine.has(toQuarantined(kind, item))
    for (const item of items.filter(isHeld)) {
      const batch = toBatch(kind, [item], { attempts: Infinity, cause: 'data' })
      addSuspect(project, batch, round.origin)
      this.steps.add(batch, 'careful')
    }
    const others = items.filter((item) => !isHeld(item))
    project.isBusy = others.length > 0
    if (others.length === 0) this.advance(project)
    return others
  }
}

const noTurns: ReadonlySet<string> = new Set()
