import { expect, test } from 'vitest'
import { addToList, formatValues, parseValues, splitLast } from './complete-list'

test('the last of several values is the one that is being typed', () => {
  expect(splitLast('gpt-4o, cla')).toEqual({ values: ['gpt-4o'], last: 'cla' })
  expect(splitLast('gpt-4o, ')).toEqual({ values: ['gpt-4o'], last: '' })
  expect(splitLast('')).toEqual({ values: [], last: '' })
  expect(addToList(['gpt-4o'], 'claude-sonnet-4-5')).toBe('gpt-4o, claude-sonnet-4-5')
})

test('a value with a comma stays one value', () => {
  const text = addToList(['a'], 'last, first')
  expect(text).toBe(String.raw`a, last\, first`)
  expect(parseValues(text)).toEqual(['a', 'last, first'])
  expect(splitLast(text)).toEqual({ values: ['a'], last: 'last, first' })
  expect(formatValues(['x', 'y'])).toBe('x, y')
})
