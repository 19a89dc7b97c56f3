import { expect, test } from 'vitest'
import { findDisplayFieldsProblem, parseDisplayFields } from './display-fields'

test('fields are separated by commas, each once', () => {
  expect(parseDisplayFields(' inputs.question,, output ,output')).toEqual(['inputs.question', 'output'])
})

test('too many fields, or one that is too long, are a problem and are not cut', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `inputs.f${index}`).join(', ')
  expect(findDisplayFieldsProblem(names(20))).toBeUndefined()
  expect(findDisplayFieldsProblem(names(21))).toBe('At most 20 fields. These are 21.')
  expect(findDisplayFieldsProblem('x'.repeat(10_000))).toMatch(/^A field has at most [\d,]+ characters. One has 10,000.$/)
})
