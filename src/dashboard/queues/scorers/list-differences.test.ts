import { expect, test } from 'vitest'
import { listDifferences } from './list-differences'

const spec = (field_schema: object, more: object = {}) => ({
  _class_name: 'AnnotationSpec',
  name: 'Tone',
  description: null,
  field_schema,
  ...more,
})
const categories = (...choices: string[]) => spec({ type: 'string', enum: choices })

test('categories that came, went and moved are named', () => {
  expect(listDifferences(categories('a', 'b', 'c'), categories('c', 'a', 'd'))).toEqual([
    { what: 'Category removed', before: 'b' },
    { what: 'Category added', after: 'd' },
    { what: 'Order of the categories' },
  ])
})

test('another number of categories is also another answer', () => {
  expect(listDifferences(categories('a', 'b'), categories('a', 'b', 'c'))).toEqual([
    { what: 'Answer', before: 'one of 2 categories', after: 'one of 3 categories' },
    { what: 'Category added', after: 'c' },
  ])
})

test.each([
  [{ type: 'boolean' }, { type: 'string', minLength: 1, maxLength: 10 }, 'yes or no', 'text, at most 10 characters'],
  [
    { type: 'integer', minimum: 1, maximum: 5 },
    { type: 'number', minimum: 0, multipleOf: 0.5 },
    'whole number from 1 to 5',
    'number, at least 0, in steps of 0.5',
  ],
  [
    { type: 'integer', maximum: 5 },
    { type: 'integer', maximum: 5, 'x-optional': true },
    'whole number, at most 5',
    'whole number, at most 5, optional',
  ],
])('the answers %j and %j are told apart in words', (before, after, from, to) => {
  expect(listDifferences(spec(before), spec(after))).toEqual([{ what: 'Answer', before: from, after: to }])
})

test('a description that came or went has one side', () => {
  const described = spec({ type: 'boolean' }, { description: 'Why' })
  expect(listDifferences(spec({ type: 'boolean' }), described)).toEqual([{ what: 'Description', after: 'Why' }])
  expect(listDifferences(described, spec({ type: 'boolean' }))).toEqual([{ what: 'Description', before: 'Why' }])
})

test('what reviewers do not see is only named', () => {
  expect(listDifferences(spec({ type: 'array' }), spec({ type: 'array', items: {} }))).toEqual([
    { what: 'The schema of the answers' },
  ])
  expect(listDifferences(spec({ type: 'boolean' }, { op_scope: null }), spec({ type: 'boolean' }, { op_scope: ['a'] }))).toEqual([
    { what: 'Setting', after: 'op_scope' },
  ])
  expect(listDifferences({ _class_name: 'Scorer' }, spec({}))).toEqual([{ what: 'Another class of object' }])
})

test('equal versions differ in nothing, whatever the order of keys', () => {
  expect(listDifferences(spec({ minimum: 1, type: 'integer' }), spec({ type: 'integer', minimum: 1 }))).toEqual([])
})
