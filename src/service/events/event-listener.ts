import { eventTopics, type EventTopic } from '../../contract/events'
import type { ProjectChanges } from './project-changes'

/** One stream of events. However slowly it is read, only the topics that it has not told yet are kept. */
export class EventListener {
  private readonly untold = new Set<EventTopic>()
  private wake: (() => void) | undefined
  isClosed = false

  constructor(
    readonly username: string,
    readonly changes: ProjectChanges,
  ) {}

  add(topics: readonly EventTopic[]): void {
    for (const topic of topics) this.untold.add(topic)
    if (topics.length > 0) this.wake?.()
  }

  close(): void {
    this.isClosed = true
    this.wake?.()
  }

  /** The topics to tell, and the id that is true once they are told. */
  take(): { topics: EventTopic[]; id: string } {
    const topics = eventTopics.filter((topic) => this.untold.has(topic))
    this.untold.clear()
    return { topics, id: this.changes.id }
  }

  /** Resolves when there is something to tell, when it is closed, or after this time. */
  async wait(maxMs: number): Promise<void> {
    if (this.isClosed || this.untold.size > 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxMs).unref()
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.wake = undefined
  }
}
