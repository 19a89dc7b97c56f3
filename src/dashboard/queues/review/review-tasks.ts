import { ApiError } from '../../client/api-error'
import { toError } from './review-decisions'
import type { ReviewState } from './review-state'

type Deps = { waitForRetry: () => Promise<void> }

/** Does what a person asks for, one thing after the other: a second press meanwhile does nothing. */
export class ReviewTasks {
  private count = 0

  constructor(
    private readonly deps: Deps,
    private readonly state: ReviewState,
  ) {}

  /** What fails for want of the service is done again. */
  async run(task: () => Promise<void>): Promise<void> {
    if (this.state.get().isBusy) return
    const own = (this.count += 1)
    this.state.set({ isBusy: true, failure: null, notice: null })
    for (;;) {
      try {
        await task()
        break
      } catch (error) {
        const isRetrying = error instanceof ApiError && error.isTransient
        this.state.set({ failure: toError(error), isRetrying })
        if (!isRetrying) break
        await this.deps.waitForRetry()
        if (this.count !== own) return
        this.state.set({ failure: null, isRetrying: false })
      }
    }
    this.state.set({ isBusy: false })
  }

  /** A task that waits to be done again is given up. */
  cancel(): void {
    this.count += 1
    this.state.set({ isBusy: false, isRetrying: false })
  }
}
