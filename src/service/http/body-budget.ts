import { HttpError } from './http-error'
import { MemoryPool } from './memory-pool'

const mebibyte = 1024 * 1024
/** A body takes about five times its size while it is parsed and written. */
const defaultLimits = { largeBytes: 128 * mebibyte, smallBytes: 32 * mebibyte, anonymousBytes: 2 * mebibyte }
/** What pages of the dashboard and most SDKs send. They keep working while large bodies fill their own pool. */
const maxSmallBodyBytes = mebibyte

/** The share of one request. */
export type BodyLease = { reserve: (bytes: number) => void; release: () => void }

/**
 * Limits the bytes of request bodies in memory, over all requests together. Only bytes that arrived count, so a client
 * that declares a length and sends nothing takes nothing. Bodies without credentials have a pool of their own: nobody can
 * take what users need without being one.
 */
export class BodyBudget {
  private readonly large: MemoryPool
  private readonly small: MemoryPool
  private readonly anonymous: MemoryPool

  constructor(limits: Partial<typeof defaultLimits> = {}) {
    const { largeBytes, smallBytes, anonymousBytes } = { ...defaultLimits, ...limits }
    this.large = new MemoryPool(largeBytes)
    this.small = new MemoryPool(smallBytes)
    this.anonymous = new MemoryPool(anonymousBytes)
  }

  /** `reserve` throws a 429 `HttpError` where the user's share is used up; `release` returns everything. */
  openLease(username: string): BodyLease {
    return createLease(username, (bytes) => (bytes <= maxSmallBodyBytes ? [this.small, this.large] : [this.large]))
  }

  openAnonymousLease(address: string): BodyLease {
    return createLease(address, () => [this.anonymous])
  }
}

/** `poolsFor` says where a body of a size may be, the preferred pool first. A body that grows moves as a whole. */
function createLease(owner: string, poolsFor: (bytes: number) => readonly MemoryPool[]): BodyLease {
  let current: MemoryPool | undefined
  let leasedBytes = 0
  const release = () => {
    current?.release(owner, leasedBytes)
    current = undefined
    leasedBytes = 0
  }
  return {
    reserve: (bytes) => {
      const pools = poolsFor(leasedBytes + bytes)
      if (current && pools.includes(current) && current.tryReserve(owner, bytes)) {
        leasedBytes += bytes
        return
      }
      const next = pools.find((pool) => pool !== current && pool.tryReserve(owner, leasedBytes + bytes))
      if (!next) throw overloaded()
      const totalBytes = leasedBytes + bytes
      release()
      current = next
      leasedBytes = totalBytes
    },
    release,
  }
}

function overloaded(): HttpError {
  return new HttpError(
    'too_many_requests',
    { loc: ['body'], msg: 'The service is processing too many large requests. Try again in a second.', type: 'overloaded' },
    { 'retry-after': '1' },
  )
}
