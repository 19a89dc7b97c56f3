const firstDelayMs = 1000
const maxDelayMs = 30_000

// Module state: all that failed waits for the same server, and one response tells that it is back.
let delayMs = firstDelayMs
let timer: ReturnType<typeof setTimeout> | undefined
const waiting = new Set<() => void>()

/**
 * Waits until the next attempt. Everything that failed shares one schedule: each pause is twice as long as the one before, and
 * ends at once when the tab becomes visible, the browser comes online, or the person asks for it.
 */
export function waitForRetry(): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(resolve)
    timer ??= setTimeout(() => {
      timer = undefined
      // A hidden tab waits until it is visible.
      if (!document.hidden) retryNow()
    }, delayMs)
  })
}

type RetryOptions = {
  signal: AbortSignal
  /** Whether a request that failed is sent again. */
  onFailure?: ((error: Error) => boolean) | undefined
}

/** Makes attempts, with these pauses, until one succeeds, fails for good, or is stopped. */
export async function retryFailed<Value>(attempt: () => Promise<Value>, { signal, onFailure }: RetryOptions): Promise<Value> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (signal.aborted || !(error instanceof Error) || !onFailure?.(error)) throw error
      const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      await Promise.race([waitForRetry(), stopped])
      signal.throwIfAborted()
    }
  }
}

/** Ends the pause: everything that waits tries again. */
export function retryNow(): void {
  clearTimeout(timer)
  timer = undefined
  if (waiting.size === 0) return
  delayMs = Math.min(2 * delayMs, maxDelayMs)
  for (const resolve of waiting) resolve()
  waiting.clear()
}

/** Call it after a response: the server is there, so nothing has to wait any longer. */
export function endRetryPause(): void {
  retryNow()
  delayMs = firstDelayMs
}

/** Ends a pause when the browser comes online or the tab becomes visible. Call it once. */
export function watchForRetry(): void {
  addEventListener('online', retryNow)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) retryNow()
  })
}
