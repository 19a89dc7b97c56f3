import type { Logger } from 'pino'
import type { BodyParts } from '../body-parts'
import { HttpError } from '../http-error'
import { type OpenJob, PrepareWorker, type PrepareWorkerLimits } from './prepare-worker'
import type { PrepareOptions, Preparation, Preparer } from './preparation'
import { RoundRobinQueue } from './round-robin-queue'

export type WorkerPreparerLimits = PrepareWorkerLimits & {
  /** A body up to this size is prepared in place: to hand it over takes longer. */
  maxInPlaceBytes: number
  /** Jobs whose next part is prepared while another part is written. Their bodies are in memory. */
  maxOpenJobs: number
  maxOpenJobsPerUser: number
  maxWaitingPerUser: number
  maxWaitMs: number
}

const defaultLimits: WorkerPreparerLimits = {
  maxInPlaceBytes: 32 * 1024,
  maxOpenJobs: 4,
  maxOpenJobsPerUser: 2,
  maxWaitingPerUser: 256,
  maxWaitMs: 30_000,
  // The worst bodies within the limits take two seconds on a quiet core.
  maxStepMs: 30_000,
  maxIdleMs: 30_000,
}

type Waiter = { start: (worker: PrepareWorker) => void; reject: (error: Error) => void }

type Deps = {
  /** Built JavaScript that calls `servePreparations`. */
  workerUrl: URL
  workerCount: number
  inPlace: Preparer
  logger: Logger
  limits?: Partial<WorkerPreparerLimits>
}

/**
 * Prepares large bodies in worker threads, so that no body blocks the event loop. Users take turns: one who sends many
 * large bodies waits behind nobody but himself.
 */
export class WorkerPreparer implements Preparer {
  private readonly inPlace: Preparer
  private readonly limits: WorkerPreparerLimits
  private readonly workers: readonly PrepareWorker[]
  private readonly waiters = new RoundRobinQueue<Waiter>()
  private readonly openByUser = new Map<string, number>()
  private isClosed = false

  constructor({ workerUrl, workerCount, inPlace, logger, limits }: Deps) {
    this.inPlace = inPlace
    this.limits = { ...defaultLimits, ...limits }
    this.workers = Array.from({ length: workerCount }, () => new PrepareWorker(workerUrl, logger, this.limits))
  }

  async *prepare<Context, Part, Result>(
    preparation: Preparation<Context, Part, Result>,
    body: BodyParts,
    context: Context,
    options: PrepareOptions,
  ): AsyncGenerator<Part, Result, undefined> {
    if (body.byteLength <= this.limits.maxInPlaceBytes) return yield* this.inPlace.prepare(preparation, body, context, options)
    const { username } = options.user
    const { signal } = options
    const job = await this.waitForTurn(username, signal, (worker) =>
      worker.open({ name: preparation.name, body, context }, () => this.release(username)),
    )
    const onAbort = () => job.cancel(clientGone())
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    try {
      let next = job.first
      for (;;) {
        const { done, value } = await next
        if (done) return value as Result // sent by the preparation of this name
        next = job.next()
        // Handled by the next turn of the loop, unless the caller stops before.
        next.catch(() => undefined)
        yield value as Part // sent by the preparation of this name
      }
    } finally {
      signal.removeEventListener('abort', onAbort)
      job.cancel(clientGone())
    }
  }

  /** Ends the threads. Requests that still need one fail. */
  async close(): Promise<void> {
    this.isClosed = true
    for (const { reject } of this.waiters.takeAll()) reject(closing())
    await Promise.all(this.workers.map((worker) => worker.close()))
  }

  private async waitForTurn(username: string, signal: AbortSignal, open: (worker: PrepareWorker) => OpenJob): Promise<OpenJob> {
    if (this.isClosed) throw closing()
    if (signal.aborted) throw clientGone()
    if (this.waiters.countOf(username) >= this.limits.maxWaitingPerUser) throw tooManyWaiting()
    return await new Promise((resolve, reject) => {
      const leave = (error: Error) => {
        if (!this.waiters.remove(username, waiter)) return
        settle()
        reject(error)
      }
      const onAbort = () => leave(clientGone())
      const timer = setTimeout(() => leave(waitedTooLong()), this.limits.maxWaitMs)
      const settle = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      const waiter: Waiter = {
        start: (worker) => {
          settle()
          resolve(open(worker))
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      }
      signal.addEventListener('abort', onAbort, { once: true })
      this.waiters.add(username, waiter)
      this.serveWaiters()
    })
  }

  private serveWaiters(): void {
    for (;;) {
      const worker = this.workers.toSorted((left, right) => left.openJobs - right.openJobs)[0]
      if (!worker || this.openCount >= this.limits.maxOpenJobs * this.workers.length) return
      const maxOpenOfUser = this.limits.maxOpenJobsPerUser * this.workers.length
      const next = this.waiters.take((username) => (this.openByUser.get(username) ?? 0) < maxOpenOfUser)
      if (!next) return
      this.openByUser.set(next.username, (this.openByUser.get(next.username) ?? 0) + 1)
      next.item.start(worker)
    }
  }

  private get openCount(): number {
    return [...this.openByUser.values()].reduce((sum, count) => sum + count, 0)
  }

  private release(username: string): void {
    const count = (this.openByUser.get(username) ?? 1) - 1
    if (count > 0) this.openByUser.set(username, count)
    else this.openByUser.delete(username)
    this.serveWaiters()
  }
}

function unavailable(msg: string, type: string, retryAfterSeconds: number): HttpError {
  return new HttpError('unavailable', { loc: ['body'], msg, type }, { 'retry-after': String(retryAfterSeconds) })
}

function closing(): HttpError {
  return unavailable('The service is stopping. Try again in a few seconds.', 'stopping', 5)
}

function waitedTooLong(): HttpError {
  return unavailable('The service is busy with other large requests. Try again in a few seconds.', 'overloaded', 5)
}

/** Nobody reads it. */
function clientGone(): HttpError {
  return unavailable('The client closed the connection.', 'aborted', 1)
}

function tooManyWaiting(): HttpError {
  const msg = 'Too many of your large requests are waiting. Try again in a second.'
  return new HttpError('too_many_requests', { loc: ['body'], msg, type: 'overloaded' }, { 'retry-after': '1' })
}
