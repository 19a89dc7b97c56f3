import { array, boolean, constant, integer, nat, oneof, record } from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../testing/test-property'
import { TimeSlices } from '../lib/time-slices'
import { arrangeCalls, type PlacedCall } from './arrange-calls'

const call = (id: string, parentId: string | null, startUs: number, endUs: number | null, hasFailed = false): PlacedCall => ({
  id,
  parent_id: parentId,
  startUs,
  endUs,
  hasFailed,
})
const arrange = async (calls: readonly PlacedCall[]) => [...(await arrangeCalls(calls)).values()]
const selfTimes = async (calls: readonly PlacedCall[]) =>
  Object.fromEntries((await arrange(calls)).map(({ call: { id }, selfUs }) => [id, selfUs]))

test('a parent comes before its children, and siblings come in the order in which they started', async () => {
  const calls = [call('late', 'top', 5, 6), call('deep', 'early', 2, 3), call('early', 'top', 1, 4), call('top', null, 0, 9)]
  const nodes = await arrange(calls)
  expect(nodes.map(({ call: { id }, parentId }) => [id, parentId])).toEqual([
    ['top', null],
    ['early', 'top'],
    ['deep', 'early'],
    ['late', 'top'],
  ])
  expect(nodes[0]?.childIds).toEqual(['early', 'late'])
})

test('self time is the time in which no direct child ran; children that overlap count once', async () => {
  const calls = [call('top', null, 0, 100), call('a', 'top', 10, 50), call('b', 'top', 40, 60), call('c', 'b', 41, 42)]
  expect(await selfTimes(calls)).toEqual({ top: 50, a: 40, b: 19, c: 1 })
})

test('with clocks that differ, only what lies within the parent counts; a call that still runs has no self time', async () => {
  const calls = [
    call('top', null, 100, 200),
    call('before', 'top', 50, 120),
    call('after', 'top', 190, 900),
    call('outside', 'top', 300, 400),
    call('running', null, 0, null),
    call('reversed', null, 9, 3),
  ]
  expect(await selfTimes(calls)).toEqual({ top: 70, before: 70, after: 710, outside: 100, running: null, reversed: 0 })
  expect(await selfTimes([call('top', null, 0, 100), call('child', 'top', 30, null)])).toEqual({ top: 30, child: null })
})

test('calls whose parent is missing, and calls that are parents of each other, are at the top', async () => {
  const calls = [call('orphan', 'unknown', 3, 4), call('a', 'b', 1, 2), call('b', 'a', 2, 3), call('below', 'b', 5, 6)]
  expect((await arrange(calls)).map(({ call: { id }, parentId, cutBy }) => [id, parentId, cutBy])).toEqual([
    ['a', null, 'circle'],
    ['b', null, 'circle'],
    ['below', 'b', null],
    ['orphan', null, 'missing'],
  ])
})

test('in a circle with the call that is asked for, the others are below that call', async () => {
  const calls = [call('a', 'c', 1, 9), call('b', 'a', 2, 8), call('c', 'b', 3, 7, true), call('below', 'c', 4, 5)]
  const nodes = [...(await arrangeCalls(calls, new TimeSlices(), 'b')).values()]
  expect(nodes.map(({ call: { id }, parentId, cutBy, isAboveFailure }) => [id, parentId, cutBy, isAboveFailure])).toEqual([
    ['b', null, 'circle', true],
    ['c', 'b', null, false],
    ['a', 'c', null, false],
    ['below', 'c', null, false],
  ])
})

test('every call above a failed one knows of it', async () => {
  const calls = [call('top', null, 0, 9), call('ok', 'top', 1, 2), call('mid', 'top', 3, 4), call('bad', 'mid', 3, 4, true)]
  const above = (await arrange(calls)).filter(({ isAboveFailure }) => isAboveFailure).map(({ call: { id } }) => id)
  expect(above).toEqual(['top', 'mid'])
})

test('a chain of 100,000 calls is arranged', async () => {
  const chain = Array.from({ length: 100_000 }, (_, index) =>
    call(`c${index}`, index === 0 ? null : `c${index - 1}`, index, 1_000_000, index === 99_999),
  )
  const nodes = await arrange(chain)
  expect(nodes).toHaveLength(100_000)
  expect(nodes.filter(({ isAboveFailure }) => isAboveFailure)).toHaveLength(99_999)
})

test('others have their turn while many calls are put in order', async () => {
  let [readsInSlice, maxReads] = [0, 0]
  class CountedSlices extends TimeSlices {
    override get isOver() {
      return true
    }
    override async next() {
      maxReads = Math.max(maxReads, readsInSlice)
      readsInSlice = 0
    }
  }
  const calls = Array.from({ length: 20_000 }, (_, index) => ({
    ...call(`c${index}`, null, 0, 1),
    get startUs() {
      readsInSlice += 1
      return (index * 7919) % 20_011
    },
  }))
  const nodes = [...(await arrangeCalls(calls, new CountedSlices())).values()]
  expect(nodes.map(({ call: { startUs } }) => startUs)).toEqual(calls.map(({ startUs }) => startUs).toSorted((a, b) => a - b))
  // To sort 1000 calls takes 20,000 reads; to sort all of them at once more than 500,000.
  expect(maxReads).toBeLessThan(30_000)
})

testProperty(
  'in any trace each call comes once, after its parent, and self time is what a count of single microseconds finds',
  array(
    record({
      parent: oneof(constant(null), nat(12)),
      startUs: integer({ min: 0, max: 20 }),
      length: oneof(nat(20), constant(null)),
      hasFailed: boolean(),
    }),
    { maxLength: 12 },
  ),
  { runs: 300 },
  async (shapes) => {
    const calls = shapes.map(({ parent, startUs, length, hasFailed }, index) =>
      call(String(index), parent === null ? null : String(parent), startUs, length === null ? null : startUs + length, hasFailed),
    )
    const nodes = await arrange(calls)
    expect(nodes.map(({ call: { id } }) => id).toSorted()).toEqual(calls.map(({ id }) => id).toSorted())
    const position = new Map(nodes.map(({ call: { id } }, index) => [id, index]))
    for (const { call: own, parentId, childIds, selfUs, isAboveFailure } of nodes) {
      if (parentId !== null) expect(position.get(parentId)).toBeLessThan(position.get(own.id) ?? -1)
      const children = nodes.filter((node) => node.parentId === own.id)
      expect(children.map((node) => node.call.id)).toEqual(childIds)
      expect(isAboveFailure).toBe(children.some((node) => node.call.hasFailed || node.isAboveFailure))
      if (own.endUs === null) expect(selfUs).toBeNull()
      else {
        const moments = Array.from({ length: own.endUs - own.startUs }, (_, index) => own.startUs + index)
        const isFree = (moment: number) =>
          !children.some(({ call: child }) => child.startUs <= moment && moment < (child.endUs ?? Infinity))
        expect(selfUs).toBe(moments.filter(isFree).length)
      }
    }
  },
)
