import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isClosed } from '../store/store-error'
import { type RetryTimes, toRetryMs } from './retry-times'

/** Derives what the last process left. Both may be called again after they failed. */
export type Recovery = {
  run: (signal: AbortSignal) => Promise<void>
  /** Resolves when all calls of the project that the last process left are known to the deriver. */
  waitFor: (projectId: string) => Promise<void>
}

type Options = { logger: Logger; signal: AbortSignal; retry: RetryTimes }

/** Runs a recovery until it succeeds. Never rejects; resolves to false where `signal` ended it before. */
export async function runRecovery(recovery: Recovery, { logger, signal, retry }: Options): Promise<boolean> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      await recovery.run(signal)
      if (signal.aborted) return false
      if (failures > 0) logger.info('turns of the last run are recovered')
      return true
    } catch (err) {
      if (signal.aborted) return false
      const retryMs = toRetryMs(retry, failures + 1)
      if (failures === 0 && !isClosed(err))
        logger.error({ err, retryMs }, 'turns of the last run could not be recovered, trying again')
      await wait(retryMs, undefined, { ref: false, signal }).catch(() => undefined)
    }
  }
  return false
}
