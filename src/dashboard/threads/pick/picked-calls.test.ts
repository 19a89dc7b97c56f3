import { expect, test } from 'vitest'
import { PickedCalls } from './picked-calls'

const listed = ['a', 'b', 'c', 'd', 'e']
const openPicked = () => {
  const picked = new PickedCalls()
  return {
    toggle: (index: number, isRange = false, owner = 'acme') => picked.toggle(owner, { listed, index, isRange }),
    list: (owner = 'acme') => [...picked.list(owner)].toSorted(),
    picked,
  }
}

test('calls are picked one by one and as ranges', () => {
  const { toggle, list } = openPicked()
  toggle(1)
  toggle(3, true)
  expect(list()).toEqual(['b', 'c', 'd'])
  toggle(2)
  expect(list()).toEqual(['b', 'd'])
})

test('a range has what the call that it begins at has, in both directions', () => {
  const { toggle, list } = openPicked()
  toggle(0)
  toggle(4, true)
  toggle(3)
  toggle(1, true)
  expect(list()).toEqual(['a', 'e'])
})

test('a range that begins in another list picks one call', () => {
  const { toggle, list, picked } = openPicked()
  picked.toggle('acme', { listed: ['x'], index: 0, isRange: false })
  toggle(2, true)
  expect(list()).toEqual(['c', 'x'])
})

test('another project begins with nothing, and forgets what was picked before', () => {
  const { toggle, list } = openPicked()
  toggle(1)
  expect(list('other')).toEqual([])
  toggle(2, true, 'other')
  expect(list('other')).toEqual(['c'])
  expect(list()).toEqual([])
})
