/** Runs all steps of a calculation at once. */
export function runSteps<Result>(steps: Generator<undefined, Result, void>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Half a frame. */
const sliceMs = 8

/** Runs the steps in short tasks, so that the page responds meanwhile. Undefined where `signal` is aborted before the end. */
export async function runStepsInSlices<Result>(
  steps: Generator<undefined, Result, void>,
  signal: AbortSignal,
  pause: () => Promise<unknown>,
): Promise<Result | undefined> {
  while (!signal.aborted) {
    const end = performance.now() + sliceMs
    // The clock is asked every hundred steps: it takes longer than a step.
    for (let count = 0; count % 100 !== 0 || performance.now() < end; count += 1) {
      const step = steps.next()
      if (step.done) return step.value
    }
    await pause()
  }
  return undefined
}
