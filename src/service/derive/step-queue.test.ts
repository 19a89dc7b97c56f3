import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Lane, StepQueue } from './step-queue'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

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
  for (let count = 1; count < 4; count += 1) {
    await end(others().at(-1) ?? '')
    await end(started.findLast((name) => name.startsWith('reader')) ?? '')
  }
  expect(others().toSorted()).toEqual(['a', 'b', 'slow', 'slower'])
  expect(
    new Set(
      others()
        .slice(0, 2)
        .map((name) => name.startsWith('slow')),
    ).size,
  ).toBe(2)
})

test('while readers are served, the other lanes pause for as long as their last step took', async () => {
  const { started, add, end } = createSteps()
  await add(['a', 'b', 'c'], 'background')
  await add(['reader 0', 'reader 1', 'reader 2', 'reader 3'], 'reader')
  expect(started).toEqual(['a', 'b', 'reader 0', 'reader 1'])
  vi.advanceTimersByTime(300)
  await end('a')
  await end('b')
  expect(started).toHaveLength(4)
  vi.advanceTimersByTime(299)
  await end('reader 0')
  expect(started.slice(4)).toEqual(['reader 2'])
  vi.advanceTimersByTime(1)
  await end('reader 1')
  expect(started.slice(5)).toEqual(['c', 'reader 3'])
})

test('the pause ends also while the steps of readers take longer', async () => {
  const { started, add, end } = createSteps()
  await add(['a', 'b'], 'background')
  await add(['careful'], 'careful')
  await add(['reader'], 'reader')
  vi.advanceTimersByTime(30)
  await end('a')
  await end('b')
  expect(started).toEqual(['a', 'b', 'reader'])
  vi.advanceTimersByTime(30)
  await nextTurn()
  await nextTurn()
  expect(started).toEqual(['a', 'b', 'reader', 'careful'])
})

test('the other lanes go on at once when the last reader is served', async () => {
  const { started, add, end } = createSteps()
  await add(['a', 'b', 'c'], 'background')
  await add(['reader'], 'reader')
  vi.advanceTimersByTime(300)
  await end('a')
  await end('b')
  expect(started).toEqual(['a', 'b', 'reader'])
  await end('reader')
  expect(started).toEqual(['a', 'b', 'reader', 'c'])
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
