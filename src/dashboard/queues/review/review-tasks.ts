import { ApiError } from '../../client/api-error'
import { toError } from './review-decisions'
import type { ReviewState } from './review-state'

type Deps = { waitForRetry: () => Promise<void> }

/** A part of what a person asks for, and what is said where it fails. */
type Step = readonly [failureTitle: string, run: () => Promise<void>]

/** Does what a person asks for, one thing after the other: a second press meanwhile does nothing. */
export class ReviewTasks {
  private count = 0

  constructor(
    private readonly deps: Deps,
    private readonly state: ReviewState,
  ) {}

  /** A step that fails for want of the service is done again; those before it are not. */
  async run(...steps: readonly Step[]): Promise<void> {
    if (this.state.get().isBusy) return
    const own = (this.count += 1)
    this.state.set({ isBusy: true, failure: null, notice: null })
    const left = [...steps]
    while (left[0]) {
      const [title, run] = left[0]
      try {
        await run()
        left.shift()
      } catch (error) {
        const isRetrying = error instanceof ApiError && error.isTransient
        this.state.set({ failure: { title, error: toError(error), retry: () => this.run(...left) }, isRetrying })
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
