import { HttpError } from './http-error'

const mebibyte = 1024 * 1024
/** Three of the largest. A body takes about five times its size while it is parsed and written. */
const defaultLimit = 128 * mebibyte
/** What only small bodies may use, so that someone's flood does not keep others from looking at their pages. */
const reservedShare = 0.25
const largestSmallBody = mebibyte

/** What one request takes of the budget. */
export type BodyLease = { reserve: (bytes: number) => void; release: () => void }

/** How many bytes of request bodies are in memory at once, over all requests. Beyond it a request is told to come again. */
export class BodyBudget {
  private held = 0

  constructor(private readonly limit = defaultLimit) {}

  /** Opens the account of one request. `take` throws a `Refusal` where there is no room; `release` gives all back. */
  lease(): BodyLease {
    let own = 0
    return {
      reserve: (bytes) => {
        const limit = own + bytes > largestSmallBody ? this.limit * (1 - reservedShare) : this.limit
        // One body always fits where there is no other, however small the budget is.
        if (this.held > own && this.held + bytes > limit) throw overloaded()
        own += bytes
        this.held += bytes
      },
      release: () => {
        this.held -= own
        own = 0
      },
    }
  }
}

function overloaded(): HttpError {
  return new HttpError(
    'too_many_requests',
    { loc: ['body'], msg: 'Too many large requests are being worked on. Send it again in a moment.', type: 'overloaded' },
    { 'retry-after': '1' },
  )
}
