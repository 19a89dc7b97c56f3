import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { HttpError } from '../http-error'
import { findBuffers, fromErrorMessage, type WorkerReply, type WorkerRequest } from './messages'

export type Step = { done: boolean; value: unknown }

export type OpenJob = {
  /** The step that runs already. */
  first: Promise<Step>
  next: () => Promise<Step>
  /** Ends the job early; its pending step rejects. Without effect on a job that has ended. */
  cancel: (reason: Error) => void
}

type Job = {
  onEnd: () => void
  /** Why it has no more steps, where it did not end by itself. */
  failure: Error | undefined
  waiting: { resolve: (step: Step) => void; reject: (error: Error) => void; timer: NodeJS.Timeout } | undefined
}

export type PrepareWorkerLimits = {
  /** A step that takes longer ends the thread. */
  maxStepMs: number
  /** A thread without work ends after this time: V8 gives its memory back only then. */
  maxIdleMs: number
}

/** One thread, started for the first job and again after it has ended. */
export class PrepareWorker {
  private worker: Worker | undefined
  private readonly jobs = new Map<number, Job>()
  private lastId = 0
  private idleTimer: NodeJS.Timeout | undefined

  constructor(
    private readonly url: URL,
    private readonly logger: Logger,
    private readonly limits: PrepareWorkerLimits,
  ) {}

  get openJobs(): number {
    return this.jobs.size
  }

  /** Opens a job; its first step starts at once. `onEnd` is called when it has no more steps. */
  open(request: { name: string; body: Uint8Array; context: unknown }, onEnd: () => void): OpenJob {
    const id = (this.lastId += 1)
    const job: Job = { onEnd, failure: undefined, waiting: undefined }
    this.jobs.set(id, job)
    clearTimeout(this.idleTimer)
    const { body } = request
    // The other bytes of a shared buffer are not for the worker.
    const ownBody = body.byteLength === body.buffer.byteLength ? body : body.slice()
    const first = this.request(job, { type: 'start', id, ...request, body: ownBody })
    return {
      first,
      next: () => this.request(job, { type: 'next', id }),
      cancel: (reason: Error) => {
        if (this.jobs.get(id) !== job) return
        this.worker?.postMessage({ type: 'cancel', id } satisfies WorkerRequest)
        this.end(id, reason)
      },
    }
  }

  /** Ends the thread; its jobs fail. */
  async close(): Promise<void> {
    clearTimeout(this.idleTimer)
    const { worker } = this
    this.worker = undefined
    await worker?.terminate()
    this.failAll()
  }

  private async request(job: Job, request: WorkerRequest): Promise<Step> {
    if (job.failure) throw job.failure
    return await new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.stopStalled(), this.limits.maxStepMs).unref()
      job.waiting = { resolve, reject, timer }
      this.worker ??= this.start()
      this.worker.postMessage(request, findBuffers(request))
    })
  }

  private start(): Worker {
    // Without resourceLimits: a thread that reaches its limit within JSON.parse ends the whole process (seen in Node 20.20).
    // `parseJson` limits what a body can hold instead.
    const worker = new Worker(this.url)
    let failure: unknown
    worker.on('message', (reply: WorkerReply) => this.receive(reply))
    worker.on('error', (error) => (failure = error))
    worker.on('exit', (exitCode) => {
      if (this.worker !== worker) return // ended on purpose
      this.worker = undefined
      this.logger.error({ err: failure, exitCode, requests: this.jobs.size }, 'a worker thread ended')
      this.failAll()
    })
    // Requests keep the process alive, their threads need not.
    worker.unref()
    return worker
  }

  private receive(reply: WorkerReply): void {
    const waiting = this.jobs.get(reply.id)?.waiting
    if (!waiting) return // cancelled
    clearTimeout(waiting.timer)
    if (reply.type === 'error') return this.end(reply.id, fromErrorMessage(reply.error))
    waiting.resolve(reply)
    if (reply.done) this.end(reply.id, undefined)
  }

  private end(id: number, error: Error | undefined): void {
    const job = this.jobs.get(id)
    if (!job) return
    this.jobs.delete(id)
    clearTimeout(job.waiting?.timer)
    job.failure = error
    if (error) job.waiting?.reject(error)
    if (this.jobs.size === 0) this.endWhenIdle()
    job.onEnd()
  }

  private failAll(): void {
    // The end of a job may open another one, which is not to fail.
    const ids = [...this.jobs.keys()]
    for (const id of ids) this.end(id, workerEnded())
  }

  private endWhenIdle(): void {
    clearTimeout(this.idleTimer)
    this.idleTimer = setTimeout(() => void this.close(), this.limits.maxIdleMs).unref()
  }

  private stopStalled(): void {
    this.logger.error({ maxStepMs: this.limits.maxStepMs }, 'a worker thread did not respond')
    void this.worker?.terminate()
  }
}

function workerEnded(): HttpError {
  const msg = 'The request could not be processed: its worker ended. Try again, or send the request in parts.'
  return new HttpError('unavailable', { loc: ['body'], msg, type: 'worker_ended' }, { 'retry-after': '1' })
}
