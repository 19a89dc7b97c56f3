import { expect, test } from 'vitest'
import { LastValues } from './last-values'

test('a value counts as long as its content is the same', () => {
  const values = new LastValues<number>(10)
  expect(values.get('queue', 'one mark')).toBeUndefined()
  expect(values.set('queue', 'one mark', 1)).toBe(1)
  expect(values.get('queue', 'one mark')).toBe(1)
  expect(values.get('queue', 'two marks')).toBeUndefined()
  values.set('queue', 'two marks', 2)
  expect(values.get('queue', 'one mark')).toBeUndefined()
  expect(values.get('queue', 'two marks')).toBe(2)
})

test('what was used longest ago goes first, by size', () => {
  const values = new LastValues<string>(6, ({ length }) => length)
  values.set('a', '', 'aaa')
  values.set('b', '', 'bbb')
  values.get('a', '')
  values.set('c', '', 'ccc')
  expect(['a', 'b', 'c'].map((name) => values.get(name, ''))).toEqual(['aaa', undefined, 'ccc'])
  values.set('d', '', 'too large to keep')
  expect(['a', 'c', 'd'].map((name) => values.get(name, ''))).toEqual([undefined, undefined, undefined])
})
