import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { upsertCalls } from './call-writes'
import { QueryCalls } from './call-requests'
import { CreateCosts, QueryCosts } from './cost-requests'
import { toProblems } from './to-problems'
import { createQueue } from './queues'
import { optional } from './schema'
import { streamThreads } from './threads'

const project_id = 'acme/support'

function problems(schema: z.core.$ZodType, body: unknown) {
  const result = z.safeParse(schema, body)
  return result.success ? [] : toProblems(result.error.issues, body, ['body'])
}

test('null is the same as absent for an optional field', () => {
  const schema = z.object({ name: optional(z.string()) })
  expect(z.parse(schema, { name: null }).name).toBeUndefined()
  expect(z.parse(schema, { name: 'a' })).toEqual({ name: 'a' })
})

test('a filter says how many values one of its lists may have', () => {
  const filterOf = (count: number) => ({ project_id, filter: { thread_ids: Array.from({ length: count }, String) } })
  expect(problems(streamThreads.request, filterOf(5000))).toEqual([])
  expect(problems(streamThreads.request, filterOf(5001))).toMatchObject([
    { loc: ['body', 'filter', 'thread_ids'], type: 'too_long', msg: expect.stringContaining('5000') },
  ])
})

test('a list that is too long is one problem, whatever it contains', () => {
  const nonsense = Array<number>(2_000_000).fill(0)
  const wordsOf = (schema: z.core.$ZodType, body: object) =>
    problems(schema, { project_id, ...body }).map(({ loc, type }) => `${loc.join('.')} ${type}`)
  expect(wordsOf(QueryCosts, { fields: nonsense })).toEqual(['body.fields too_long'])
  expect(wordsOf(QueryCosts, { sort_by: nonsense })).toEqual(['body.sort_by too_long'])
  expect(wordsOf(streamThreads.request, { filter: { thread_ids: nonsense } })).toEqual(['body.filter.thread_ids too_long'])
  expect(wordsOf(upsertCalls.request, { batch: nonsense })).toEqual(['body.batch too_long'])
  expect(wordsOf(createQueue.request, { name: 'n', scorer_refs: nonsense })).toEqual(['body.scorer_refs too_long'])
  expect(wordsOf(QueryCosts, { query: { $expr: { $and: nonsense } } })).toEqual(['body.query.$expr.$and value_error'])
  expect(wordsOf(CreateCosts, { costs: Object.fromEntries(nonsense.slice(0, 200_000).entries()) })).toEqual([
    'body.costs too_long',
  ])
})

test('at most 1,000 problems are reported', () => {
  const unknownFields = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, 0]))
  expect(problems(QueryCosts, { project_id, ...unknownFields })).toHaveLength(1000)
  expect(problems(QueryCalls, { project_id, filter: { call_ids: Array(5000).fill(0) } })).toHaveLength(1000)
})

test('the message for an unsupported value says what it is: a field, a sort field or a value', () => {
  const body = { project_id, fields: ['price'], sort_by: [{ field: 'age', direction: 'up' }] }
  expect(problems(QueryCosts, body).map(({ msg }) => msg.split('.')[0])).toEqual([
    "Unsupported field 'price'",
    "Unsupported sort field 'age'",
    "Unsupported value 'up'",
  ])
})
