import { setImmediate as nextTurn } from 'node:timers/promises'

/** Short enough for nobody to notice, long enough for the turns of the event loop to cost nothing. */
const sliceMs = 5

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
  private endMs = performance.now() + sliceMs

  get isOver(): boolean {
    return performance.now() >= this.endMs
  }

  /** Lets others run, and begins the next slice. */
  async next(): Promise<void> {
    await nextTurn()
    this.endMs = performance.now() + sliceMs
  }
}
