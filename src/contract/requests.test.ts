import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { QueryCalls } from './call-requests'
import { CompleteCall, endCall } from './call-writes'
import { CreateCosts, PurgeCosts, QueryCosts } from './cost-requests'
import { toProblems } from './to-problems'
import { createQueue, readQueue } from './queues'
import { streamThreads } from './threads'

const project_id = 'acme/support'

function problems(schema: z.core.$ZodType, body: unknown): string[] {
  const result = z.safeParse(schema, body)
  return result.success ? [] : toProblems(result.error.issues, body, ['body']).map(({ loc, type }) => `${loc.join('.')} ${type}`)
}

test('a request is valid, or its problems have a path and a type', () => {
  expect(problems(QueryCosts, { project_id, limit: 10 })).toEqual([])
  expect(problems(QueryCosts, { project_id, limit: 'ten' })).toEqual(['body.limit int_parsing'])
})

test.each([
  [{}, ['body.project_id missing']],
  [[], ['body dict_type']],
  [null, ['body dict_type']],
  ['text', ['body dict_type']],
  [{ project_id: 7 }, ['body.project_id string_type']],
  [{ project_id: null }, ['body.project_id string_type']],
  [{ project_id: 'acme' }, ['body.project_id value_error']],
  [{ project_id: 'acme/' }, ['body.project_id value_error']],
  [{ project_id: '/support' }, ['body.project_id value_error']],
  [{ project_id: 'a/b/c' }, ['body.project_id value_error']],
  [{ project_id, limit: '10' }, ['body.limit int_parsing']],
  [{ project_id, limit: 2.5 }, ['body.limit int_from_float']],
  [{ project_id, limit: -1 }, ['body.limit greater_than_equal']],
  [{ project_id, limit: true }, ['body.limit int_type']],
  [{ project_id, offset: 1e300 }, ['body.offset less_than_equal']],
  [{ project_id, sort_by: {} }, ['body.sort_by list_type']],
  [
    { project_id, sort_by: [{ field: 'cost', direction: 'up' }] },
    ['body.sort_by.0.field literal_error', 'body.sort_by.0.direction literal_error'],
  ],
  [{ project_id, sort_by: [{}] }, ['body.sort_by.0.field missing', 'body.sort_by.0.direction missing']],
  [{ project_id, a: 1, b: 2 }, ['body.a extra_forbidden', 'body.b extra_forbidden']],
  [
    { project_id: 'x', limit: -1, more: 1 },
    ['body.project_id value_error', 'body.limit greater_than_equal', 'body.more extra_forbidden'],
  ],
])('%j: every problem is reported', (body, expected) => {
  expect(problems(QueryCosts, body).toSorted()).toEqual(expected.toSorted())
  expect(problems(streamThreads.request, body).toSorted()).toEqual(expected.toSorted())
})

test('a sort key has a field and a direction and nothing else', () => {
  const sort_by = [{ field: 'turn_count', direction: 'asc', nulls: 'first' }]
  expect(problems(streamThreads.request, { project_id, sort_by })).toEqual(['body.sort_by.0.nulls extra_forbidden'])
})

test('null is the same as absent for optional fields, and a user in the body is ignored', () => {
  const body = {
    project_id,
    fields: null,
    query: null,
    sort_by: null,
    limit: null,
    offset: null,
    wb_user_id: 'x',
    platform_user_id: 7,
  }
  expect(problems(QueryCosts, body)).toEqual([])
  const filter = { after_datetime: null, before_datetime: null, thread_ids: null }
  expect(problems(streamThreads.request, { project_id, filter, limit: null })).toEqual([])
  expect(problems(streamThreads.request, { project_id, filter: null })).toEqual([])
})

test('problems of a thread filter have their own paths', () => {
  const filter = { after_datetime: 'soon', before_datetime: 5, thread_ids: ['a', 7], since: 1 }
  expect(problems(streamThreads.request, { project_id, filter }).toSorted()).toEqual([
    'body.filter.after_datetime datetime_parsing',
    'body.filter.before_datetime string_type',
    'body.filter.since extra_forbidden',
    'body.filter.thread_ids.1 string_type',
  ])
})

test('a queue needs a name of 1 to 255 code points, a list of references, and a text as description', () => {
  const queue = { project_id, name: 'Reviews', scorer_refs: [] }
  expect(problems(createQueue.request, queue)).toEqual([])
  expect(z.parse(createQueue.request, { ...queue, name: '  Reviews\n' })).toMatchObject({ name: 'Reviews', description: '' })
  expect(problems(createQueue.request, { ...queue, name: '   ' })).toEqual(['body.name string_too_short'])
  expect(problems(createQueue.request, { ...queue, name: '🧵'.repeat(255) })).toEqual([])
  expect(problems(createQueue.request, { ...queue, name: '🧵'.repeat(256) })).toEqual(['body.name string_too_long'])
  expect(problems(createQueue.request, { ...queue, description: null })).toEqual(['body.description string_type'])
  expect(problems(createQueue.request, { project_id, name: 'x' })).toEqual(['body.scorer_refs missing'])
  expect(problems(createQueue.request, { ...queue, scorer_refs: ['weave:///a/b/scorer/n:1', 'x', 7] })).toEqual([
    'body.scorer_refs.1 value_error',
    'body.scorer_refs.2 string_type',
  ])
  const many = Array.from({ length: 101 }, () => 'weave:///a/b/scorer/n:1')
  expect(problems(createQueue.request, { ...queue, scorer_refs: many })).toEqual(['body.scorer_refs too_long'])
})

test('a cost is a finite number from 0', () => {
  const costs = (prompt_token_cost: unknown) => ({ project_id, costs: { m: { prompt_token_cost, completion_token_cost: 0 } } })
  expect(problems(CreateCosts, costs(0.0000025))).toEqual([])
  expect(problems(CreateCosts, costs(-1))).toEqual(['body.costs.m.prompt_token_cost greater_than_equal'])
  expect(problems(CreateCosts, costs('1'))).toEqual(['body.costs.m.prompt_token_cost float_parsing'])
  expect(problems(CreateCosts, costs(JSON.parse('1e999')))).toHaveLength(1)
})

test('a model name that zod would drop silently is rejected', () => {
  const body: unknown = JSON.parse(
    `{"project_id":"${project_id}","costs":{"__proto__":{"prompt_token_cost":1,"completion_token_cost":1}}}`,
  )
  expect(problems(CreateCosts, body)).toEqual(['body.costs value_error'])
})

test('a purge names only ids, and none of the catalog', () => {
  const id = { $getField: 'id' }
  const accepted = [
    { $eq: [id, { $literal: 'a' }] },
    { $eq: [{ $literal: 'a' }, id] },
    { $in: [id, [{ $literal: 'a' }, { $literal: 'b' }]] },
    { $or: [{ $eq: [id, { $literal: 'a' }] }, { $in: [id, [{ $literal: 'b' }]] }] },
  ]
  for (const $expr of accepted) expect(problems(PurgeCosts, { project_id, query: { $expr } })).toEqual([])
  const refused = [
    { $eq: [{ $getField: 'llm_id' }, { $literal: 'a' }] },
    { $and: [{ $eq: [id, { $literal: 'a' }] }] },
    { $not: [{ $eq: [id, { $literal: 'a' }] }] },
    { $eq: [id, id] },
    { $eq: [id, { $literal: null }] },
    { $eq: [id, { $literal: 'catalog:openai/gpt-4o@undated' }] },
  ]
  for (const $expr of refused) expect(problems(PurgeCosts, { project_id, query: { $expr } })).toEqual(['body.query value_error'])
  expect(problems(PurgeCosts, { project_id })).not.toEqual([])
})

test('an end may have no output, and reading a queue ignores the client’s user', () => {
  const end = { project_id, id: '00000000000000ff', ended_at: '2026-01-31', summary: {} }
  expect(problems(endCall.request, { end })).toEqual([])
  expect(problems(endCall.request, { end: { ...end, output: null, exception: null } })).toEqual([])
  expect(problems(endCall.request, { end: { project_id, id: end.id, ended_at: end.ended_at } })).toEqual([
    'body.end.summary missing',
  ])
  const call = { op_name: 'op', started_at: '2026-01-31', trace_id: '0'.repeat(32), attributes: {}, inputs: {} }
  expect(problems(CompleteCall, { ...end, ...call })).toEqual([])
  expect(problems(readQueue.request, { project_id, queue_id: 'x', wb_user_id: 'u', platform_user_id: 'u' })).toEqual([])
})

const completeCall = {
  project_id,
  id: '0'.repeat(16),
  trace_id: '0'.repeat(32),
  op_name: 'answer',
  started_at: '2026-01-01T00:00:00Z',
  attributes: {},
  inputs: {},
  summary: {},
}

test.each<[object, string[]]>([
  [{ inputs: { deep: [{ n: JSON.parse('1e400') as unknown }] } }, ['body.inputs finite_number']],
  [{ output: JSON.parse('-1e400') as unknown }, ['body.output finite_number']],
  [{ output: 1e308, summary: null }, []],
  [{ summary: 'text' }, ['body.summary dict_type']],
  [{ summary: [] }, ['body.summary dict_type']],
  [{ summary: { usage: { model: { text: 'x'.repeat(300_000) } } } }, ['body.summary.usage too_long']],
])('a call with %j has the problems %j', (more, expected) => {
  expect(problems(CompleteCall, { ...completeCall, ...more })).toEqual(expected)
})

test('a request names no more sort keys, prices and columns than a client could mean', () => {
  const sort_by = Array.from({ length: 17 }, () => ({ field: 'llm_id', direction: 'asc' }))
  expect(problems(QueryCosts, { project_id, sort_by })).toEqual(['body.sort_by too_long'])
  const price = { prompt_token_cost: 1, completion_token_cost: 1 }
  const costs = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`model ${index}`, price]))
  expect(problems(CreateCosts, { project_id, costs })).toEqual(['body.costs too_long'])
  expect(problems(QueryCalls, { project_id, columns: Array(1001).fill('inputs') })).toEqual(['body.columns too_long'])
})
