import { expect, test } from 'vitest'
import { describeAnswer, listSchemaChoices } from './describe-answer'

test.each([
  [{ type: 'boolean' }, 'yes or no'],
  [{ type: 'integer', minimum: 1, maximum: 5 }, 'whole number from 1 to 5'],
  [{ type: 'string', enum: ['a', 'b'] }, 'one of 2 categories'],
  [{ type: 'array', items: { enum: ['a', 'b', 'c'] } }, 'several of 3 categories'],
  [{ type: 'array', items: { type: 'string' } }, 'several values'],
  [{ type: 'object' }, 'an answer of another form'],
])('the schema %j asks for: %s', (schema, words) => {
  expect(describeAnswer(schema)).toBe(words)
})

test('the choices of one and of several are listed', () => {
  expect(listSchemaChoices({ enum: ['a', 1] })).toEqual(['a', '1'])
  expect(listSchemaChoices({ type: 'array', items: { enum: ['a', 'b'] } })).toEqual(['a', 'b'])
  expect(listSchemaChoices({ type: 'array', items: { type: 'string' } })).toEqual([])
})
