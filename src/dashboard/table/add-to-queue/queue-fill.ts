import { addQueueItems, queryQueueStats } from '../../../contract/queue-items'
import { createQueue } from '../../../contract/queues'
import { readServerInfo } from '../../../contract/session'
import { ApiError } from '../../client/api-error'
import { type Connection, usesSession } from '../../client/connection'
import { fetchJson } from '../../client/fetch-json'
import { waitForRetry } from '../../client/retry-schedule'
import { afterPiece, type FillJob, storedFillJob } from './fill-job'

/** Of the 10,000 that a request may have: people see that it goes on, and little is sent again. */
export const callsPerPiece = 2000

export type FillState = {
  job: FillJob
  /** `waiting`: for the server, and then it goes on by itself. `stopped`: by the person, or because the page was left. */
  status: 'running' | 'waiting' | 'stopped' | 'failed' | 'done'
  error?: Error
}

/** Adds the calls of one job at a time to a queue, which it creates before if it is new. It goes on while nobody looks at it. */
export class QueueFill {
  private state: FillState | undefined
  private readonly listeners = new Set<() => void>()
  private readonly stored: ReturnType<typeof storedFillJob>
  private controller = new AbortController()

  constructor(private readonly connection: Connection) {
    this.stored = storedFillJob(connection)
    const job = this.stored.read()
    if (job) this.state = { job, status: 'stopped' }
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly getState = () => this.state

  /** Goes on with what is left. */
  async resume(): Promise<void> {
    if (this.state) await this.start(this.state.job)
  }

  /** What is sent already may still be added. */
  stop(): void {
    this.controller.abort()
    if (this.state) this.set({ job: this.state.job, status: 'stopped' })
  }

  /** Forgets the job. What is in the queue stays there. */
  forget(): void {
    this.controller.abort()
    this.stored.remove()
    this.set(undefined)
  }

  async start(first: FillJob): Promise<void> {
    this.controller.abort()
    const { signal } = (this.controller = new AbortController())
    let job = first
    const keep = (next: FillJob) => {
      signal.throwIfAborted()
      job = next
      this.stored.write(job)
      this.set({ job, status: 'running' })
    }
    const onWaiting = () => {
      if (!signal.aborted) this.set({ job, status: 'waiting' })
    }
    try {
      keep(job)
      if (job.queueId === '') keep({ ...job, queueId: await this.createQueue(job, signal, onWaiting) })
      if (job.itemCountBefore === null) keep({ ...job, itemCountBefore: await this.countItems(job, signal) })
      while (job.callIds.length > 0) keep(await this.addPiece(job, signal, { keep, onWaiting }))
      this.stored.remove()
      this.set({ job, status: 'done' })
    } catch (error) {
      if (signal.aborted) return
      this.set({ job, status: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
    }
  }

  private async createQueue({ queueName: name, draft }: FillJob, signal: AbortSignal, onWaiting: () => void): Promise<string> {
    const { connection } = this
    if (!draft) throw new Error('A queue that exists has an id.')
    const { description, scorerRefs: scorer_refs, idempotencyKey } = draft
    const keepsKeys = usesSession(connection) || (await isSpool(connection, signal))
    // Another origin may not allow the header, and then the browser sends no request at all.
    const headers = keepsKeys || connection.baseUrl === '' ? { 'Idempotency-Key': idempotencyKey } : undefined
    const input = { project_id: connection.projectId, name, description, scorer_refs }
    const send = () => fetchJson(createQueue, input, { connection, signal, headers })
    // Where nobody keeps the key, a second attempt may make a second queue: then the person decides.
    const { id } = await (keepsKeys ? retry(send, signal, onWaiting) : send())
    return id
  }

  private async addPiece(
    job: FillJob,
    signal: AbortSignal,
    { keep, onWaiting }: { keep: (job: FillJob) => void; onWaiting: () => void },
  ): Promise<FillJob> {
    const { connection } = this
    const callIds = job.callIds.slice(0, callsPerPiece)
    let isRepeated = job.isUncertain
    // Kept before it is sent: after a reload nobody else knows.
    keep({ ...job, isUncertain: true })
    const input = {
      project_id: connection.projectId,
      queue_id: job.queueId,
      call_ids: callIds,
      display_fields: job.displayFields,
    }
    const reply = await retry(
      () => fetchJson(addQueueItems, input, { connection, signal }),
      signal,
      () => {
        isRepeated = true
        onWaiting()
      },
    )
    return afterPiece(job, callIds.length, reply, isRepeated ? await this.countItems(job, signal) : null)
  }

  /** Null where the service does not say. */
  private async countItems({ queueId }: FillJob, signal: AbortSignal): Promise<number | null> {
    const input = { project_id: this.connection.projectId, queue_ids: [queueId] }
    try {
      const { stats } = await fetchJson(queryQueueStats, input, { connection: this.connection, signal })
      return stats[0]?.total_items ?? null
    } catch (error) {
      if (error instanceof ApiError && !signal.aborted) return null
      throw error
    }
  }

  private set(state: FillState | undefined): void {
    this.state = state
    for (const listener of this.listeners) listener()
  }
}

async function isSpool(connection: Connection, signal: AbortSignal): Promise<boolean> {
  try {
    return (await fetchJson(readServerInfo, {}, { connection, signal })).service === 'spool'
  } catch (error) {
    if (error instanceof ApiError && !signal.aborted) return false
    throw error
  }
}

/** Sends again what failed for want of the server, until it succeeds or is stopped. */
async function retry<Value>(send: () => Promise<Value>, signal: AbortSignal, onWaiting: () => void): Promise<Value> {
  for (;;) {
    try {
      return await send()
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ApiError) || !error.isTransient) throw error
      onWaiting()
      await waitForRetry()
      signal.throwIfAborted()
    }
  }
}
