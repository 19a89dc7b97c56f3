import type { QueryOptions } from '../store/store'
import { StoreError } from '../store/store-error'
import type { WriterPace } from './writer-pace'

type Run = (projectId: string, options: QueryOptions) => Promise<void>
type UpdateOptions = Pick<QueryOptions, 'lane' | 'share'> & { run?: Run }
type Update = { done: Promise<void>; options: UpdateOptions; giveWay?: () => void }
type Updates = { running: Update; next: Update | undefined }

/**
 * Brings projects up to date, one update of a project at a time; all that ask for another meanwhile share the next. An update counts to
 * the first of them.
 */
export class ProjectUpdates {
  private readonly updatesByProject = new Map<string, Updates>()

  constructor(
    private readonly run: Run,
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

  /**
   * The same for the service itself. False where it was stopped for a reader, who brings the project up to date. `run` is done instead,
   * unless others have asked for an update meanwhile.
   */
  async inBackground(projectId: string, run: Run = this.run): Promise<boolean> {
    try {
      await this.begin(projectId, { lane: 'scan', run }).done
      return true
    } catch (error) {
      if (error instanceof StoreError && error.kind === 'aborted') return false
      throw error
    }
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
    const { run = this.run, ...own } = options
    const end = this.pace.beginUpdate(projectId)
    const stopping = new AbortController()
    const done = run(projectId, { ...own, signal: stopping.signal }).finally(() => {
      end()
      if (this.updatesByProject.get(projectId) === updates && !updates.next) this.updatesByProject.delete(projectId)
    })
    const running = { done, options, ...(options.lane === 'scan' && { giveWay: () => stopping.abort() }) }
    const updates: Updates = { running, next: undefined }
    this.updatesByProject.set(projectId, updates)
    return updates.running
  }
}
