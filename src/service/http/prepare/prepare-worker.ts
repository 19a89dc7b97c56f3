import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { TimeSlices } from '../../lib/time-slices'
import type { BodyParts } from '../body-parts'
import { HttpError } from '../http-error'
import { fromErrorMessage, type WorkerReply, type WorkerRequest } from './messages'

export type Step = { done: boolean; value: unknown }

export type OpenJob = {
  /** The step that runs already. */
  first: Promise<Step>
  next: () => Promise<Step>
  /** Ends the job early; its pending step rejects. Without effect on a job that has ended. */
  cancel: (reason: Error) => void
}

type Job = {
  readonly id: number
  readonly request: Extract<WorkerRequest, { type: 'start' }>
  /** Kept, so that the job can be run again where another one ends the thread. */
  readonly body: BodyParts
  readonly onEnd: () => void
  isStarted: boolean
  deliveredParts: number
  /** When it is run again: parts that the caller has already. */
  partsToSkip: number
  /** Why it has no more steps, where it did not end by itself. */
  failure: Error | undefined
  waiting: { resolve: (step: Step) => void; reject: (error: Error) => void } | undefined
}

export type PrepareWorkerLimits = {
  /** A step that runs longer ends the thread. */
  maxStepMs: number
  /** A thread without work ends after this time: V8 gives its memory back only then. */
  maxIdleMs: number
}

/**
 * Room for what a few large bodies are parsed into. With the default, 48 MB, V8 copies most of it to the old generation before it can
 * drop it: a thousand calls a request took a seventh more processor time in all.
 */
const maxYoungGenerationSizeMb = 192

/**
 * One thread, started for the first job and again after it has ended. It runs one step at a time, so the job whose step it
 * ran is the one that ended it: that job fails, and the others are run again.
 */
export class PrepareWorker {
  private worker: Worker | undefined
  private readonly jobs = new Map<number, Job>()
  /** Jobs whose next step is wanted. */
  private readonly queue: Job[] = []
  private running: { job: Job; timer: NodeJS.Timeout; isTooSlow: boolean } | undefined
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
  open({ name, body, context }: { name: string; body: BodyParts; context: unknown }, onEnd: () => void): OpenJob {
    const id = (this.lastId += 1)
    const job: Job = {
      id,
      request: { type: 'start', id, name, context },
      body,
      onEnd,
      isStarted: false,
      deliveredParts: 0,
      partsToSkip: 0,
      failure: undefined,
      waiting: undefined,
    }
    this.jobs.set(id, job)
    clearTimeout(this.idleTimer)
    return {
      first: this.nextStep(job),
      next: () => this.nextStep(job),
      cancel: (reason: Error) => {
        if (!this.jobs.has(id)) return
        if (job.isStarted && this.worker) post(this.worker, { type: 'cancel', id })
        this.end(job, reason)
      },
    }
  }

  /** Ends the thread; its jobs fail. */
  async close(): Promise<void> {
    clearTimeout(this.idleTimer)
    const { worker } = this
    this.worker = undefined
    clearTimeout(this.running?.timer)
    this.running = undefined
    // The end of a job may open another one, which is not to fail.
    const jobs = [...this.jobs.values()]
    for (const job of jobs) this.end(job, workerEnded())
    await worker?.terminate()
  }

  private async nextStep(job: Job): Promise<Step> {
    if (job.failure) throw job.failure
    return await new Promise((resolve, reject) => {
      job.waiting = { resolve, reject }
      this.queue.push(job)
      this.runNext()
    })
  }

  private runNext(): void {
    if (this.running) return
    const job = this.queue.shift()
    if (!job) return
    const timer = setTimeout(() => this.stopStalled(), this.limits.maxStepMs).unref()
    this.running = { job, timer, isTooSlow: false }
    this.worker ??= this.start()
    if (job.isStarted) post(this.worker, { type: 'next', id: job.id })
    else void this.sendJob(this.worker, job)
  }

  /** Sends the body and starts the job. It goes on only while it is the one that runs: the thread or the job may end. */
  private async sendJob(worker: Worker, job: Job): Promise<void> {
    job.isStarted = true
    const slices = new TimeSlices()
    for (const part of toPieces(job.body)) {
      post(worker, { type: 'body', id: job.id, part })
      if (!slices.isOver) continue
      await slices.next()
      if (this.worker !== worker || this.running?.job !== job) return
      if (!this.jobs.has(job.id)) return this.dropRunning()
    }
    post(worker, job.request)
  }

  private start(): Worker {
    // Without a limit of the old generation: a thread that reaches it within JSON.parse ends the whole process (seen in
    // Node 20.20). `parseJson` limits what a body can hold instead.
    const worker = new Worker(this.url, { resourceLimits: { maxYoungGenerationSizeMb } })
    let failure: unknown
    worker.on('message', (reply: WorkerReply) => {
      if (this.worker === worker) this.receive(reply)
    })
    worker.on('error', (error) => (failure = error))
    worker.on('exit', (exitCode) => {
      if (this.worker !== worker) return // ended on purpose
      this.worker = undefined
      this.logger.error({ err: failure, exitCode, requests: this.jobs.size }, 'a worker thread ended')
      this.runOthersAgain()
    })
    // Requests keep the process alive, their threads need not.
    worker.unref()
    return worker
  }

  private receive(reply: WorkerReply): void {
    const { running } = this
    if (running?.job.id !== reply.id) return
    const { job } = running
    clearTimeout(running.timer)
    this.running = undefined
    if (reply.type === 'error') this.end(job, fromErrorMessage(reply.error))
    else this.receiveStep(job, reply)
    this.runNext()
  }

  /** Of a job that was cancelled before all of it was sent, so that no reply follows. */
  private dropRunning(): void {
    clearTimeout(this.running?.timer)
    this.running = undefined
    this.runNext()
  }

  private receiveStep(job: Job, { done, value }: Step): void {
    if (!this.jobs.has(job.id)) return // cancelled
    if (!done && job.partsToSkip > 0) {
      job.partsToSkip -= 1
      this.queue.unshift(job)
      return
    }
    if (!done) job.deliveredParts += 1
    job.waiting?.resolve({ done, value })
    job.waiting = undefined
    if (done) this.end(job, undefined)
  }

  private end(job: Job, error: Error | undefined): void {
    if (!this.jobs.delete(job.id)) return
    const place = this.queue.indexOf(job)
    if (place >= 0) this.queue.splice(place, 1)
    job.failure = error
    if (error) job.waiting?.reject(error)
    if (this.jobs.size === 0) this.endWhenIdle()
    job.onEnd()
  }

  private runOthersAgain(): void {
    const { running } = this
    clearTimeout(running?.timer)
    this.running = undefined
    for (const job of this.jobs.values()) {
      job.isStarted = false
      job.partsToSkip = job.deliveredParts
    }
    if (running) this.end(running.job, running.isTooSlow ? tooSlow(this.limits.maxStepMs) : workerEnded())
    this.runNext()
  }

  private endWhenIdle(): void {
    clearTimeout(this.idleTimer)
    this.idleTimer = setTimeout(() => void this.close(), this.limits.maxIdleMs).unref()
  }

  private stopStalled(): void {
    this.logger.error({ maxStepMs: this.limits.maxStepMs }, 'a worker thread did not respond')
    if (this.running) this.running.isTooSlow = true
    void this.worker?.terminate()
  }
}

const maxPieceBytes = 256 * 1024

/** The bytes of a body in buffers of their own: a message copies the whole buffer that it has a view of. */
function* toPieces(body: BodyParts): Generator<Uint8Array> {
  for (const part of body) {
    if (part.byteLength === part.buffer.byteLength && part.byteLength <= maxPieceBytes) yield part
    else
      for (let start = 0; start < part.length; start += maxPieceBytes)
        yield new Uint8Array(part.subarray(start, start + maxPieceBytes))
  }
}

/** No buffer is moved: the thread may end before the job does. */
function post(worker: Worker, request: WorkerRequest): void {
  worker.postMessage(request, [])
}

function workerEnded(): HttpError {
  const msg = 'The request could not be processed: its worker ended. Try again, or send the request in parts.'
  return new HttpError('unavailable', { loc: ['body'], msg, type: 'worker_ended' }, { 'retry-after': '1' })
}

/** To send the same again would end the next thread. */
function tooSlow(maxStepMs: number): HttpError {
  const msg = `The request takes more than ${Math.ceil(maxStepMs / 1000)} seconds to process. Send it in parts.`
  return new HttpError('invalid', { loc: ['body'], msg, type: 'too_slow' })
}
