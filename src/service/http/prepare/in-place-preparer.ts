import { TimeSlices } from '../../lib/time-slices'
import type { Preparation, Preparer, PrepareTools } from './preparation'

/** Prepares in the thread of the caller: small bodies, tests and development. */
export function createInPlacePreparer(tools: PrepareTools): Preparer {
  return {
    async *prepare<Context, Part, Result>(
      { prepare }: Preparation<Context, Part, Result>,
      body: Uint8Array<ArrayBuffer>,
      context: Context,
    ) {
      const steps = prepare(body, context, tools)
      const slices = new TimeSlices()
      for (;;) {
        const step = steps.next()
        if (step.done) return step.value
        yield step.value
        if (slices.isOver) await slices.next()
      }
    },
  }
}
