import { HttpError } from './http-error'

const mebibyte = 1024 * 1024
/** Three bodies of 32 MiB beside the reserve. A body takes about five times its size while it is parsed and written. */
const defaultLimitBytes = 128 * mebibyte
/** Reserved for small bodies, so that a flood of large ones does not keep others from opening their pages. */
const smallBodyShare = 0.25
const maxSmallBodyBytes = mebibyte

/** The share of one request. */
export type BodyLease = { reserve: (bytes: number) => void; release: () => void }

/** Limits the bytes of request bodies in memory, over all requests together. Hono's body-limit knows one request only. */
export class BodyBudget {
  private reservedBytes = 0

  constructor(private readonly limitBytes = defaultLimitBytes) {}

  /** `reserve` throws a 429 `HttpError` where the budget is used up; `release` returns everything. */
  openLease(): BodyLease {
    let ownBytes = 0
    return {
      reserve: (bytes) => {
        const isSmall = ownBytes + bytes <= maxSmallBodyBytes
        const limit = isSmall ? this.limitBytes : this.limitBytes * (1 - smallBodyShare)
        // The only body in memory is always accepted, however small the budget.
        const isOnly = this.reservedBytes === ownBytes
        if (!isOnly && this.reservedBytes + bytes > limit) throw overloaded()
        ownBytes += bytes
        this.reservedBytes += bytes
      },
      release: () => {
        this.reservedBytes -= ownBytes
        ownBytes = 0
      },
    }
  }
}

function overloaded(): HttpError {
  return new HttpError(
    'too_many_requests',
    { loc: ['body'], msg: 'The service is processing too many large requests. Try again in a second.', type: 'overloaded' },
    { 'retry-after': '1' },
  )
}
