/** Short enough for nobody to notice, long enough for the turns of the event loop to cost nothing. */
const sliceMs = 5
/** Work that is done within this waits for no turn. */
const firstSliceMs = 1

const waiting: (() => void)[] = []

function runNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(runNext)
}

/** Each turn of the event loop has one: thirty in one turn would keep everybody else waiting for 150 ms. */
async function nextTurn(): Promise<void> {
  await new Promise<void>((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(runNext)
  })
}

/**
 * Divides long work into slices, between which the event loop serves others.
 *
 * @example
 * const slices = new TimeSlices()
 * for (const item of items) {
 *   if (slices.isOver) await slices.next()
 *   ...
 * }
 */
export class TimeSlices {
  private endMs = performance.now() + firstSliceMs

  get isOver(): boolean {
    return performance.now() >= this.endMs
  }

  /** Lets others run, and begins the next slice. */
  async next(): Promise<void> {
    await nextTurn()
    this.endMs = performance.now() + sliceMs
  }
}
