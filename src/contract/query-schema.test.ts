import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { QueryCosts } from './cost-requests'
import { toProblems } from './to-problems'

const model = { $getField: 'llm_id' }
const price = { $getField: 'prompt_token_cost' }
const date = { $getField: 'effective_date' }
const text = { $literal: 'a' }
const one = { $literal: 1 }

function problems(query: unknown): string[] {
  const body = { project_id: 'acme/support', query }
  const result = z.safeParse(QueryCosts, body)
  return result.success
    ? []
    : toProblems(result.error.issues, body, []).map(({ loc, type }) => `${loc.slice(1).join('.')} ${type}`)
}

function nested(depth: number): object {
  let expression: object = { $eq: [model, text] }
  for (let level = 2; level < depth; level += 1) expression = { $not: [expression] }
  return expression
}

test('a query compares fields with literals of their type', () => {
  expect(problems({ $expr: { $and: [{ $eq: [model, text] }, { $gt: [price, one] }] } })).toEqual([])
  expect(problems({ $expr: { $eq: [model, one] } })).toEqual(['$expr.$eq value_error'])
})

test.each([
  [{ $eq: [model, text] }],
  [{ $eq: [text, model] }],
  [{ $eq: [model, { $getField: 'provider_id' }] }],
  [{ $gt: [price, one] }],
  [{ $lte: [price, { $getField: 'completion_token_cost' }] }],
  [{ $gte: [date, { $literal: '2026-01-01' }] }],
  [{ $lt: [{ $literal: 1767225600.5 }, date] }],
  [{ $eq: [date, date] }],
  [{ $eq: [price, { $literal: null }] }],
  [{ $in: [model, []] }],
  [{ $in: [price, [one, { $literal: null }]] }],
  [{ $contains: { input: model, substr: text } }],
  [{ $contains: { input: model, substr: text, case_insensitive: null } }],
  [{ $contains: { input: { $convert: { input: price, to: 'string' } }, substr: text } }],
  [{ $and: [{ $literal: 'string' }] }],
  [{ $or: [{ $literal: null }, { $not: [{ $eq: [model, text] }] }] }],
  [{ $eq: [{ $contains: { input: model, substr: text } }, { $literal: true }] }],
  [{ $and: [{ $convert: { input: price, to: 'exists' } }] }],
  [nested(32)],
])('%j is accepted', ($expr) => {
  expect(problems({ $expr })).toEqual([])
})

test.each([
  [{}, '$expr missing'],
  [{ $expr: { $eq: [model, text] }, more: 1 }, 'more extra_forbidden'],
  [[], ' dict_type'],
  ['x', ' dict_type'],
  [{ $expr: {} }, '$expr value_error'],
  [{ $expr: text }, '$expr value_error'],
  [{ $expr: model }, '$expr value_error'],
  [{ $expr: { $convert: { input: model, to: 'bool' } } }, '$expr value_error'],
  [{ $expr: { $eq: [model, text], $gt: [price, one] } }, '$expr value_error'],
  [{ $expr: { $ne: [model, text] } }, '$expr.$ne value_error'],
  [{ $expr: { constructor: [] } }, '$expr.constructor value_error'],
  [{ $expr: { $eq: [model] } }, '$expr.$eq value_error'],
  [{ $expr: { $eq: [model, 'gpt-4o'] } }, '$expr.$eq.1 dict_type'],
  [{ $expr: { $eq: [model, { $literal: ['a'] }] } }, '$expr.$eq.1.$literal value_error'],
  [{ $expr: { $eq: [{ $getField: 'model' }, text] } }, '$expr.$eq.0.$getField value_error'],
  [{ $expr: { $eq: [{ $getField: '__proto__' }, text] } }, '$expr.$eq.0.$getField value_error'],
  [{ $expr: { $eq: [model, one] } }, '$expr.$eq value_error'],
  [{ $expr: { $gt: [price, text] } }, '$expr.$gt value_error'],
  [{ $expr: { $eq: [price, model] } }, '$expr.$eq value_error'],
  [{ $expr: { $lt: [date, { $literal: 'last week' }] } }, '$expr.$lt datetime_parsing'],
  [{ $expr: { $in: [price, [one, text]] } }, '$expr.$in.1.1 value_error'],
  [{ $expr: { $and: [] } }, '$expr.$and value_error'],
  [{ $expr: { $or: {} } }, '$expr.$or list_type'],
  [{ $expr: { $and: [model] } }, '$expr.$and.0 value_error'],
  [{ $expr: { $not: [{ $eq: [model, text] }, { $eq: [model, text] }] } }, '$expr.$not value_error'],
  [{ $expr: { $contains: { input: price, substr: text } } }, '$expr.$contains.input value_error'],
  [{ $expr: { $contains: { input: model } } }, '$expr.$contains.substr missing'],
  [
    { $expr: { $contains: { input: model, substr: text, case_insensitive: 'yes' } } },
    '$expr.$contains.case_insensitive bool_type',
  ],
  [{ $expr: { $and: [{ $convert: { input: model, to: 'date' } }] } }, '$expr.$and.0.$convert.to literal_error'],
])('%j is rejected with the path of its problem', (query, problem) => {
  expect(problems(query)).toEqual([problem])
})

test('more than 32 levels or 1,000 objects are one problem, at any size', () => {
  expect(problems({ $expr: nested(33) })[0]).toMatch(/value_error$/)
  expect(problems({ $expr: nested(50_000) })).toHaveLength(1)
  const many = (count: number) => ({ $expr: { $in: [model, Array.from({ length: count }, () => text)] } })
  expect(problems(many(998))).toEqual([])
  expect(problems(many(999))).toHaveLength(1)
  expect(problems(many(100_000))).toHaveLength(1)
})

test('the name of a field has at most 1,024 characters', () => {
  expect(problems({ $expr: { $eq: [{ $getField: 'x'.repeat(1_000_000) }, text] } })).toEqual([
    '$expr.$eq.0.$getField string_too_long',
  ])
})

test('all problems of an expression are reported together', () => {
  expect(problems({ $expr: { $and: [{ $eq: [model, one] }, { $gt: [{ $getField: 'x' }, one] }, { $huh: 1 }] } })).toEqual([
    '$expr.$and.0.$eq value_error',
    '$expr.$and.1.$gt.0.$getField value_error',
    '$expr.$and.2.$huh value_error',
  ])
})
