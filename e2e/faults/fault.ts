import { test } from 'playwright/test'

/** What the table of faults has a row for. */
export const faultAnnotation = 'fault'

/**
 * A test of what happens when something goes wrong: one row of the table that `print-faults.ts` prints after the tests.
 *
 * @example
 * fault('a request that declares 30 MB and sends nothing', 'takes no memory; others are served', async () => { ... })
 */
export function fault(name: string, outcome: string, run: () => Promise<void>): void {
  test(`${name}: ${outcome}`, { annotation: { type: faultAnnotation, description: JSON.stringify([name, outcome]) } }, run)
}
