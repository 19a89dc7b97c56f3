import type { Logger } from 'pino'
import type { Store } from '../store/store'
import { isClosed, toStoreError } from '../store/store-error'
import { type Batch, originOf, returnItems, toBatch, toQuarantined } from './batch'
import { runDerivation } from './derivation'
import { classifyFailure, type DerivationFailure } from './derivation-failure'
import { toLoggedItem, toLoggedProjects } from './derivation-log'
import { deriveThreads } from './derive-threads'
import { deriveTurns } from './derive-turns'
import type { ProjectQueue } from './project-queue'
import { addSuspect, type ProjectWork } from './project-work'
import type { Quarantine } from './quarantine'
import { type RetryTimes, toRetryMs } from './retry-times'

/** Pauses that tests shorten. */
export type FailureTimes = {
  /** Pauses between attempts at one call or thread, before it is set aside. */
  pausesMs: readonly number[]
  /** The same where memory or time ran out, of which others may have taken most. */
  pausesUnderLoadMs: readonly number[]
  /** Between attempts of everything, while the store cannot derive anything. */
  retry: RetryTimes
}

type Deps = { store: Store; logger: Logger; times: FailureTimes; quarantine: Quarantine; queue: ProjectQueue }

/**
 * What happens to steps that failed. What fails because of its data is halved until the call or the thread is found that
 * fails alone, and that is set aside. What fails because of the store is tried again, and readers get the error.
 */
export class FailedSteps {
  constructor(private readonly deps: Deps) {}

  /** Never rejects. */
  async handle(batch: Batch, error: unknown): Promise<void> {
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
    const { store } = this.deps
    const nothing = { project_id: '', thread_id: '', id: '' }
    try {
      await runDerivation(kind === 'call' ? deriveTurns(store, [nothing]) : deriveThreads(store, [nothing]))
      return true
    } catch {
      // The failure that this was asked for is logged.
      return false
    }
  }

  /** One of several calls or threads cannot be derived: each half is tried apart from the round, which goes on. */
  private split(batch: Batch): void {
    const { queue } = this.deps
    const middle = batch.items.length >> 1
    for (const items of [batch.items.slice(0, middle), batch.items.slice(middle)]) {
      const half = toBatch(batch.kind, items, { attempts: 0, cause: 'data' })
      for (const project of half.projects.values()) addSuspect(project, half, originOf(batch, project))
      queue.addBatch(half, 'careful')
    }
    for (const project of batch.projects.values()) leaveRound(batch, project)
    for (const project of batch.projects.values()) queue.advance(project)
  }

  private async tryAgainOrQuarantine(batch: Batch, failure: DerivationFailure): Promise<void> {
    const { times, quarantine, queue, logger } = this.deps
    const [item] = batch.items
    if (!item) return
    const { project } = item
    const attempts = (batch.suspect?.attempts ?? 0) + 1
    const cause = batch.suspect?.cause === 'load' ? 'load' : failure.cause
    const pausesMs = cause === 'load' ? times.pausesUnderLoadMs : times.pausesMs
    const pauseMs = pausesMs[attempts - 1]
    if (pauseMs === undefined) {
      const key = toQuarantined(batch.kind, item)
      const isNew = !quarantine.has(key)
      await quarantine.add(key, failure.reason)
      if (isNew)
        logger.error({ ...toLoggedItem(key), reason: failure.reason }, `a ${batch.kind} cannot be derived and is set aside`)
      queue.end(batch, project)
    } else {
      const again = toBatch(batch.kind, batch.items, { attempts, cause })
      addSuspect(project, again, originOf(batch, project))
      leaveRound(batch, project)
      setTimeout(() => queue.addBatch(again, 'careful'), pauseMs).unref()
    }
    queue.advance(project)
  }

  /** The store cannot derive anything now: everything waits, and readers get the error. */
  private retryLater(batch: Batch, error: unknown): void {
    const { queue, logger, times } = this.deps
    const projects = [...batch.projects.values()]
    const newlyFailing = projects.filter((project) => project.failures === 0)
    const nowMs = performance.now()
    for (const project of projects) {
      project.failures += 1
      project.lastFailureMs = nowMs
    }
    if (newlyFailing.length > 0 && !isClosed(error)) {
      const callCount = newlyFailing.reduce((sum, project) => sum + project.openCalls, 0)
      logger.error(
        { err: error, ...toLoggedProjects(newlyFailing), callCount, retryMs: times.retry.minMs },
        'turns could not be derived, trying again',
      )
    }
    if (batch.suspect) {
      const retryMs = toRetryMs(times.retry, Math.max(...projects.map(({ failures }) => failures)))
      batch.derivation = undefined
      setTimeout(() => queue.addBatch(batch, 'careful'), retryMs).unref()
    } else {
      returnItems(batch)
      for (const project of projects) queue.returnRound(project)
    }
    const storeError = toStoreError(error)
    for (const project of projects) {
      for (const { reject } of project.waiters ?? []) reject(storeError)
      project.waiters?.clear()
      queue.schedule(project)
    }
  }
}

/** The batch is replaced by others. */
function leaveRound(batch: Batch, project: ProjectWork): void {
  if (batch.suspect) project.suspects?.delete(batch)
  else project.isBusy = false
}
