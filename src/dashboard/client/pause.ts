/** Lets the browser paint and handle input. Ends early when `signal` is aborted. */
export function pause(durationMs: number, signal?: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, Math.max(0, durationMs))
    function finish() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve(undefined)
    }
    signal?.addEventListener('abort', finish)
  })
}
