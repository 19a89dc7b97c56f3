import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { TurnDeriver } from '../derive/turn-deriver'
import { HttpError } from '../http/http-error'
import type { RequestReader } from '../http/route'
import type { ServerSentEvent } from '../http/server-sent-events'
import type { Store } from '../store/store'
import { EventListener } from './event-listener'
import { ProjectChanges } from './project-changes'

export const defaultEventLimits = {
  /** Streams at once, of everybody and of one user. Each keeps a connection. */
  maxListeners: 500,
  maxListenersPerUser: 50,
  /** Proxies close connections on which nothing is sent for a minute. */
  heartbeatMs: 20_000,
  /** Then the client connects again, which checks whether its user may still see the project. */
  maxStreamMs: 15 * 60_000,
  minPauseMs: 1000,
  maxPauseMs: 30_000,
}
export type EventLimits = typeof defaultEventLimits

type Deps = {
  store: Store
  deriver: Pick<TurnDeriver, 'storedBefore' | 'noteRead'>
  logger: Logger
  limits?: Partial<EventLimits>
}

/**
 * Tells listeners that something of their project changed. While there are any, the store is asked about each of their
 * projects once a second, however many listen, one project after the other.
 */
export class EventHub {
  private readonly listeners = new Set<EventListener>()
  private readonly projects = new Map<string, { changes: ProjectChanges; ready: Promise<unknown> }>()
  private readonly limits: EventLimits
  private readonly closing = new AbortController()
  private isWatching = false

  constructor(private readonly deps: Deps) {
    this.limits = { ...defaultEventLimits, ...deps.limits }
  }

  /**
   * Begins a stream, from `lastEventId` on where it is given. It ends with `reader.signal`, after some minutes, and when the
   * hub is closed. Throws an `HttpError` where there are too many, and a `StoreError`.
   */
  async open(
    projectId: string,
    { username, lastEventId, reader }: { username: string; lastEventId: string | undefined; reader: RequestReader },
  ): Promise<AsyncIterable<ServerSentEvent>> {
    this.requireCapacity(username)
    const { changes, ready } = this.watch(projectId)
    const listener = new EventListener(username, changes)
    this.listeners.add(listener)
    const leave = () => this.remove(listener)
    reader.signal.addEventListener('abort', leave, { once: true })
    try {
      await ready
      if (lastEventId !== undefined) listener.add(await changes.findSince(lastEventId, reader))
    } catch (error) {
      leave()
      throw error
    }
    void this.watchProjects()
    return this.tell(listener, leave)
  }

  /** Ends all streams. */
  close(): void {
    this.closing.abort()
    for (const listener of this.listeners) this.remove(listener)
  }

  private async *tell(listener: EventListener, leave: () => void): AsyncGenerator<ServerSentEvent> {
    const endMs = performance.now() + this.limits.maxStreamMs
    try {
      let { topics, id } = listener.take()
      yield { event: 'ready', id: topics.length === 0 ? id : undefined }
      while (!listener.isClosed) {
        // An id is valid once all topics before it are told.
        for (const [index, topic] of topics.entries()) {
          yield { event: topic, id: index === topics.length - 1 ? id : undefined }
        }
        const leftMs = endMs - performance.now()
        if (leftMs <= 0) return
        await listener.wait(Math.min(this.limits.heartbeatMs, leftMs))
        ;({ topics, id } = listener.take())
        if (topics.length === 0 && !listener.isClosed) yield 'heartbeat'
      }
    } finally {
      leave()
    }
  }

  private requireCapacity(username: string): void {
    if (this.closing.signal.aborted) throw stopping()
    const ofUser = [...this.listeners].filter((listener) => listener.username === username).length
    if (ofUser >= this.limits.maxListenersPerUser || this.listeners.size >= this.limits.maxListeners) throw tooManyStreams()
  }

  private watch(projectId: string) {
    const watched = this.projects.get(projectId)
    if (watched) return watched
    const changes = new ProjectChanges(this.deps.store, this.deps.deriver, projectId)
    const project = { changes, ready: changes.find() }
    this.projects.set(projectId, project)
    return project
  }

  private remove(listener: EventListener): void {
    listener.close()
    this.listeners.delete(listener)
    const { projectId } = listener.changes
    if (![...this.listeners].some(({ changes }) => changes === listener.changes)) this.projects.delete(projectId)
  }

  /** Runs until nobody listens. Never rejects. */
  private async watchProjects(): Promise<void> {
    if (this.isWatching) return
    this.isWatching = true
    const { signal } = this.closing
    let failures = 0
    while (this.listeners.size > 0 && !signal.aborted) {
      const startMs = performance.now()
      try {
        for (const [projectId, { changes, ready }] of this.projects) {
          this.deps.deriver.noteRead(projectId)
          await ready
          const topics = await changes.find()
          for (const listener of this.listeners) if (listener.changes === changes) listener.add(topics)
        }
        if (failures > 0) this.deps.logger.info('changes of projects are noticed again')
        failures = 0
      } catch (err) {
        if (failures === 0 && !signal.aborted) this.deps.logger.error({ err }, 'changes of projects are not noticed')
        failures += 1
      }
      // A fifth of the time at most, and longer after each failure.
      const { minPauseMs, maxPauseMs } = this.limits
      const pauseMs = Math.max(4 * (performance.now() - startMs), minPauseMs * 2 ** Math.min(failures, 5))
      await wait(Math.min(pauseMs, maxPauseMs), undefined, { ref: false, signal }).catch(() => undefined)
    }
    this.isWatching = false
  }
}

function tooManyStreams(): HttpError {
  const msg = 'Too many event streams are open. Close some, or ask again from time to time instead.'
  return new HttpError('too_many_requests', { loc: [], msg, type: 'too_many_streams' }, { 'retry-after': '60' })
}

function stopping(): HttpError {
  const msg = 'The service is stopping. Connect again in a few seconds.'
  return new HttpError('unavailable', { loc: [], msg, type: 'unavailable' }, { 'retry-after': '5' })
}
