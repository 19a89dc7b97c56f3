import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Lane, StepQueue } from './step-queue'

/** Steps that end when the test says so. */
function createSteps() {
  const started: string[] = []
  const endByName = new Map<string, () => void>()
  const queue = new StepQueue<string>((name) => {
    started.push(name)
    return new Promise((resolve) => endByName.set(name, resolve))
  })
  const add = async (names: readonly string[], lane: Lane) => {
    for (const name of names) queue.add(name, lane)
    await nextTurn()
    await nextTurn()
  }
  const end = async (name: string) => {
    endByName.get(name)?.()
    await nextTurn()
    await nextTurn()
  }
  return { started, add, end }
}

test('a step that somebody waits for is the next one, whatever waits before it', async () => {
  const { started, add, end } = createSteps()
  await add(['a', 'b', 'c', 'd'], 'background')
  await add(['slow', 'slower'], 'careful')
  expect(started).toEqual(['a', 'b'])
  for (const [index, ended] of ['a', 'reader 0', 'reader 1', 'reader 2'].entries()) {
    await add([`reader ${index}`], 'reader')
    await end(ended)
    expect(started.at(-1)).toBe(`reader ${index}`)
  }
})

test('readers that never cease to come leave a step to the other lanes, in turn', async () => {
  const { started, add, end } = createSteps()
  const readers = Array.from({ length: 20 }, (_, index) => `reader ${index}`)
  await add(readers, 'reader')
  await add(['a', 'b'], 'background')
  await add(['slow', 'slower'], 'careful')
  const others = () => started.filter((name) => !name.startsWith('reader'))
  const [first = '', second = ''] = started
  await end(first)
  await end(second)
  expect(others()).toHaveLength(1)
  for (let count = 1; count < 4; count += 1) await end(others().at(-1) ?? '')
  expect(others().toSorted()).toEqual(['a', 'b', 'slow', 'slower'])
  expect(
    new Set(
      others()
        .slice(0, 2)
        .map((name) => name.startsWith('slow')),
    ).size,
  ).toBe(2)
})

test('of the careful steps one runs at a time', async () => {
  const { started, add, end } = createSteps()
  await add(['slow', 'slower'], 'careful')
  expect(started).toEqual(['slow'])
  await add(['a'], 'background')
  expect(started).toEqual(['slow', 'a'])
  await end('slow')
  expect(started).toEqual(['slow', 'a', 'slower'])
})
