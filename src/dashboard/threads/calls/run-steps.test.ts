import { expect, test } from 'vitest'
import { runSteps, runStepsInSlices } from './run-steps'

function* count(to: number): Generator<undefined, number, void> {
  let sum = 0
  for (let index = 1; index <= to; index += 1) {
    sum += index
    yield
  }
  return sum
}

test('a long calculation runs in several tasks and ends with the same result', async () => {
  let pauses = 0
  const pause = async () => void (pauses += 1)
  const result = await runStepsInSlices(count(2_000_000), new AbortController().signal, pause)
  expect(result).toBe(runSteps(count(2_000_000)))
  expect(pauses).toBeGreaterThan(0)
})

test('it stops where nobody waits for it any more', async () => {
  const abort = new AbortController()
  const result = runStepsInSlices(count(Infinity), abort.signal, async () => abort.abort())
  expect(await result).toBeUndefined()
})
