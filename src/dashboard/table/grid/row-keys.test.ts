import { expect, test } from 'vitest'
import { rowAction } from './row-keys'

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
  expect(rowAction(key(name), from, 50, false)).toEqual({ kind: 'focus', index: to })
})

test('j and k go through rows only while a panel is open', () => {
  expect(rowAction(key('j'), 3, 50, false)).toBeUndefined()
  expect(rowAction(key('j'), 3, 50, true)).toEqual({ kind: 'open', index: 4 })
  expect(rowAction(key('k'), 0, 50, true)).toEqual({ kind: 'open', index: 0 })
})

test('c copies, but the key that the browser copies with is left alone', () => {
  expect(rowAction(key('c'), 0, 5, false)).toEqual({ kind: 'copy' })
  expect(rowAction(key('c', { ctrlKey: true }), 0, 5, false)).toBeUndefined()
})
