import type { Readable } from 'node:stream'
import { HttpError } from './http-error'

/**
 * How slowly a body may arrive. 20 s without a byte is more than a mobile line takes to recover. 1 KiB/s is slower than
 * any line that could carry a trace: 32 MiB at that rate take nine hours, so a slow line that moves is never cut off.
 */
export type BodyPace = {
  checkMs: number
  /** Checks in a row without a byte. */
  maxIdleChecks: number
  /** The rate is measured over this many checks. */
  windowChecks: number
  minWindowBytes: number
}

export const defaultPace: BodyPace = { checkMs: 5000, maxIdleChecks: 4, windowChecks: 6, minWindowBytes: 30 * 1024 }

/**
 * Calls `onTooSlow` for a body that stalls or drips. It counts checks and not the time between them: after the process
 * itself stood still, a client that kept sending has lost one check, not all of them.
 */
export function watchPace(source: Readable, onTooSlow: (error: HttpError) => void, pace: BodyPace) {
  let bytesSinceCheck = 0
  const window: number[] = []
  const timer = setInterval(() => {
    // Bytes wait on our side, for example for the decompressor: the client is not to blame.
    if (source.isPaused() || source.readableLength > 0) return
    window.push(bytesSinceCheck)
    bytesSinceCheck = 0
    if (window.length > pace.windowChecks) window.shift()
    const isStalled = window.length >= pace.maxIdleChecks && window.slice(-pace.maxIdleChecks).every((bytes) => bytes === 0)
    const windowBytes = window.reduce((sum, bytes) => sum + bytes, 0)
    const isDripping = window.length === pace.windowChecks && windowBytes < pace.minWindowBytes
    if (isStalled || isDripping) onTooSlow(tooSlow())
  }, pace.checkMs).unref()
  return {
    count: (bytes: number) => {
      bytesSinceCheck += bytes
    },
    stop: () => clearInterval(timer),
  }
}

function tooSlow(): HttpError {
  const msg = 'The body of the request arrived too slowly, or not at all.'
  return new HttpError('request_timeout', { loc: ['body'], msg, type: 'request_timeout' }, { connection: 'close' })
}
