import { expect, test } from 'vitest'
import { toRowAction } from './row-action'

const key = (name: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
})

test.each([
  ['ArrowDown', 3, 4],
  ['ArrowDown', 49, 49],
  ['ArrowUp', 0, 0],
  ['Home', 30, 0],
  ['End', 3, 49],
  ['PageDown', 45, 49],
  ['PageUp', 30, 20],
])('%s on row %d of 50 moves to %d', (name, from, to) => {
  expect(toRowAction(key(name), from, 50, false)).toEqual({ kind: 'focus', index: to })
})

test('the arrows to the left and right go from cell to cell', () => {
  expect(toRowAction(key('ArrowRight'), 3, 50, false)).toEqual({ kind: 'step', by: 1 })
  expect(toRowAction(key('ArrowLeft'), 3, 50, false)).toEqual({ kind: 'step', by: -1 })
  // The browser goes back in its history.
  expect(toRowAction(key('ArrowLeft', { altKey: true }), 3, 50, false)).toBeUndefined()
})

test('j and k go through rows only while a panel is open', () => {
  expect(toRowAction(key('j'), 3, 50, false)).toBeUndefined()
  expect(toRowAction(key('j'), 3, 50, true)).toEqual({ kind: 'open', index: 4 })
  expect(toRowAction(key('k'), 0, 50, true)).toEqual({ kind: 'open', index: 0 })
})

test('c copies, but the key that the browser copies with is left alone', () => {
  expect(toRowAction(key('c'), 0, 5, false)).toEqual({ kind: 'copy' })
  expect(toRowAction(key('c', { ctrlKey: true }), 0, 5, false)).toBeUndefined()
})
