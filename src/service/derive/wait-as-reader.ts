import { StoreError } from '../store/store-error'
import { DerivationBehindError } from './derivation-behind-error'

/**
 * Waits for what is derived as long as a reader should: rejects with a `DerivationBehindError` after `maxWaitMs`, and with a
 * `StoreError` when `signal` is aborted. What is derived goes on.
 */
export async function waitAsReader(
  derived: Promise<void>,
  { signal, maxWaitMs }: { signal: AbortSignal | undefined; maxWaitMs: number },
): Promise<void> {
  let stopWaiting = () => {}
  const stopped = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(new DerivationBehindError(5)), maxWaitMs)
    const onAbort = () => reject(new StoreError('aborted', 'The request was aborted while the latest calls were processed.'))
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    stopWaiting = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  })
  try {
    await Promise.race([derived, stopped])
  } finally {
    stopWaiting()
  }
}
