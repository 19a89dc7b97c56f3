import { expect, test } from 'vitest'
import { toAnsweredThreadsHref } from './answered-threads'

test.each([
  [true, 'good=true'],
  [4, 'good=4'],
  ['kind', 'good=kind'],
  ['yes', 'good=yes'],
  ['4', 'good="4"'],
  ['true', 'good="true"'],
  [' ', 'good=" "'],
  ['late, rude', 'good=late\\, rude'],
])('the threads with the answer %j are asked for by %s', (value, text) => {
  expect(new URLSearchParams(toAnsweredThreadsHref('good', value).split('?')[1]).get('answer')).toBe(text)
})
