import { TimeSlices } from '../../lib/time-slices'
import type { BodyParts } from '../body-parts'
import type { Preparation, Preparer, PrepareTools } from './preparation'

/** Prepares in the thread of the caller: small bodies, tests and development. */
export function createInPlacePreparer(tools: PrepareTools): Preparer {
  return {
    async *prepare<Context, Part, Result>({ prepare }: Preparation<Context, Part, Result>, body: BodyParts, context: Context) {
      const steps = prepare(body.join(), context, tools)
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
