/** Lets the browser paint and handle input. */
export function pause(durationMs: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, durationMs))
  })
}
