import { type Arbitrary, assert, asyncProperty } from 'fast-check'
import { test } from 'vitest'

/** The same inputs in every run, so that a failure can be repeated; SPOOL_TEST_SEED tries others. */
const seed = Number(process.env['SPOOL_TEST_SEED'] ?? 20_261_121)

type PropertyOptions = {
  /** How many inputs are tried. */
  runs: number
  /** A property takes as long as its inputs and the machine's load make it, so it has a limit of its own: 120 s by default. */
  timeoutMs?: number
}

/**
 * Defines a test that holds for every input of `arbitrary`.
 *
 * @example
 * testProperty('sorting twice changes nothing', fc.array(fc.integer()), { runs: 100 }, (numbers) => {
 *   expect(sort(sort(numbers))).toEqual(sort(numbers))
 * })
 */
export function testProperty<Input>(
  name: string,
  arbitrary: Arbitrary<Input>,
  { runs, timeoutMs = 120_000 }: PropertyOptions,
  check: (input: Input) => void | Promise<void>,
): void {
  test(
    name,
    async () => {
      console.log(`seed ${seed}; another one: SPOOL_TEST_SEED=<number>`)
      await assert(
        asyncProperty(arbitrary, async (input) => check(input)),
        { numRuns: runs, seed },
      )
    },
    timeoutMs,
  )
}
