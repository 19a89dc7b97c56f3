import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
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
      for (;;) {
        const step = steps.next()
        if (step.done) return step.value
        yield step.value
        await yieldToEventLoop()
      }
    },
  }
}
