import type { QueryOptions } from '../store/store'
import { StoreError } from '../store/store-error'
import type { WriterPace } from './writer-pace'

type UpdateOptions = Pick<QueryOptions, 'lane' | 'share'>
type Update = { done: Promise<void>; options: UpdateOptions; giveWay?: () => void }
type Updates = { running: Update; next: Update | undefined }

/**
 * Brings projects up to date, one update of a project at a time; all that ask for another meanwhile share the next. An update counts to
 * the first of them.
 */
export class ProjectUpdates {
  private readonly updatesByProject = new Map<string, Updates>()

  constructor(
    private readonly run: (projectId: string, options: QueryOptions) => Promise<void>,
    private readonly pace: WriterPace,
  ) {}

  /** Resolves when an update has ended that began after this call. */
  async forReader(projectId: string, share: QueryOptions['share']): Promise<void> {
    for (;;) {
      const { done, options } = this.begin(projectId, { lane: 'read', share })
      try {
        return await done
      } catch (error) {
        // It counted to another user, who has too many other requests.
        const isOfOther = options.share?.user !== share?.user
        if (!isOfOther || !(error instanceof StoreError) || error.kind !== 'overloaded') throw error
      }
    }
  }

  /** The same for the service itself. Rejects with `aborted` where a reader comes meanwhile, whose update does the rest. */
  async inBackground(projectId: string): Promise<void> {
    await this.begin(projectId, { lane: 'scan' }).done
  }

  /** Resolves when the updates that run have ended. */
  async settle(): Promise<void> {
    for (const { running } of this.updatesByProject.values()) await running.done.catch(() => undefined)
  }

  /** A reader does not wait for an update of the background: it is stopped, and what it had to do is part of the next. */
  private begin(projectId: string, options: UpdateOptions): Update {
    const updates = this.updatesByProject.get(projectId)
    if (!updates) return this.start(projectId, options)
    if (options.lane === 'read') updates.running.giveWay?.()
    const next: Update = (updates.next ??= {
      done: updates.running.done.catch(() => undefined).then(() => this.start(projectId, next.options).done),
      options,
    })
    if (options.lane === 'read' && next.options.lane === 'scan') next.options = options
    return next
  }

  private start(projectId: string, options: UpdateOptions): Update {
    const end = this.pace.beginUpdate(projectId)
    const stopping = new AbortController()
    const done = this.run(projectId, { ...options, signal: stopping.signal }).finally(() => {
      end()
      if (this.updatesByProject.get(projectId) === updates && !updates.next) this.updatesByProject.delete(projectId)
    })
    const running = { done, options, ...(options.lane === 'scan' && { giveWay: () => stopping.abort() }) }
    const updates: Updates = { running, next: undefined }
    this.updatesByProject.set(projectId, updates)
    return updates.running
  }
}
