import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { parseCallField } from './call-fields'
import { QueryCalls, QueryCallStats, ReadCall } from './call-requests'
import { queryThreadUsage } from './thread-usage'
import { toProblems } from './to-problems'

const project_id = 'acme/support'
const query = { $expr: { $eq: [{ $getField: 'inputs.question' }, { $literal: 'x' }] } }

function problems(schema: z.core.$ZodType, input: unknown): string[] {
  const parsed = z.safeParse(schema, input)
  return parsed.success ? [] : toProblems(parsed.error.issues, input, ['body']).map(({ loc, type }) => `${loc.join('.')} ${type}`)
}

test('calls are filtered, sorted and paged', () => {
  const sort_by = [{ field: 'started_at', direction: 'desc' }]
  expect(problems(QueryCalls, { project_id, filter: { trace_roots_only: true }, query, sort_by, limit: 10 })).toEqual([])
})

test.each<[string, object]>([
  ['only the project', {}],
  ['null as absent', { filter: null, query: null, sort_by: null, limit: null, offset: null, columns: null, include_costs: null }],
  ['unknown fields of newer SDKs', { include_feedback: true, expand_columns: [], include_storage_size: true, future: 1 }],
  [
    'every filter',
    {
      filter: {
        op_names: ['weave:///a/b/op/c:*'],
        parent_ids: [],
        trace_ids: ['x'],
        call_ids: ['y'],
        thread_ids: [''],
        turn_ids: [],
        trace_roots_only: true,
        input_refs: [],
        output_refs: [],
        wb_user_ids: [],
        wb_run_ids: [],
      },
    },
  ],
  ['paths into JSON', { query, sort_by: [{ field: 'summary.usage.gpt-4\\.1.requests', direction: 'desc' }] }],
  ['paths into JSON columns and columns that are not stored', { columns: ['inputs.question', 'wb_run_id', 'id'] }],
])('accepts %s', (_, more) => {
  expect(problems(QueryCalls, { project_id, ...more })).toEqual([])
})

test.each<[string, object, string[]]>([
  ['an unknown filter', { filter: { status: ['error'] } }, ['body.filter.status extra_forbidden']],
  ['runs, which are not stored', { filter: { wb_run_ids: ['r'] } }, ['body.filter.wb_run_ids value_error']],
  [
    'lists of other values than strings',
    { filter: { call_ids: [1], thread_ids: 'x' } },
    ['body.filter.call_ids.0 string_type', 'body.filter.thread_ids list_type'],
  ],
  ['an unknown sort field', { sort_by: [{ field: 'cost', direction: 'asc' }] }, ['body.sort_by.0.field value_error']],
  [
    'a sort field that exists only when a call is read',
    { sort_by: [{ field: 'summary.weave.costs', direction: 'asc' }] },
    ['body.sort_by.0.field value_error'],
  ],
  ['an unknown direction', { sort_by: [{ field: 'id', direction: 'up' }] }, ['body.sort_by.0.direction literal_error']],
  [
    'more than sixteen sort keys',
    { sort_by: Array.from({ length: 17 }, () => ({ field: 'id', direction: 'asc' })) },
    ['body.sort_by too_long'],
  ],
  ['unknown columns', { columns: ['cost'] }, ['body.columns.0 value_error']],
  ['invalid counts', { limit: '1', offset: -1 }, ['body.limit int_parsing', 'body.offset greater_than_equal']],
  [
    'unknown fields of a query',
    { query: { $expr: { $eq: [{ $getField: 'cost' }, { $literal: 1 }] } } },
    ['body.query.$expr.$eq.0.$getField value_error'],
  ],
  [
    'types that cannot be compared',
    { query: { $expr: { $eq: [{ $getField: 'summary.weave.latency_ms' }, { $literal: 'x' }] } } },
    ['body.query.$expr.$eq value_error'],
  ],
])('rejects %s', (_, more, expected) => {
  expect(problems(QueryCalls, { project_id, ...more })).toEqual(expected)
})

test('counting calls and reading one call ignore unknown fields', () => {
  expect(problems(QueryCallStats, { project_id, query, limit: 1, include_total_storage_size: true })).toEqual([])
  expect(problems(ReadCall, { project_id, id: 'x', include_costs: true, include_storage_size: true })).toEqual([])
  expect(problems(ReadCall, { project_id })).toEqual(['body.id missing'])
})

test('a request for usage names 1 to 1,000 threads', () => {
  const ids = (length: number) => ({ project_id, thread_ids: Array.from({ length }, (_, index) => String(index)) })
  expect(problems(queryThreadUsage.request, ids(1000))).toEqual([])
  expect(problems(queryThreadUsage.request, ids(1001))).toEqual(['body.thread_ids too_long'])
  expect(problems(queryThreadUsage.request, ids(0))).toEqual(['body.thread_ids too_short'])
  expect(problems(queryThreadUsage.request, { ...ids(1), since: 1 })).toEqual(['body.since extra_forbidden'])
})

test.each([
  ['inputs', { column: 'inputs', path: [] }],
  ['inputs.a.0.b', { column: 'inputs', path: ['a', '0', 'b'] }],
  ['summary.usage.gpt-4\\.1.requests', { column: 'summary', path: ['usage', 'gpt-4.1', 'requests'] }],
  ['summary.weave.status', { name: 'summary.weave.status' }],
  ['summary.weave.costs', undefined],
  ['inputs..a', undefined],
  ['inputs.', undefined],
  ['inputs_dump', undefined],
  ['', undefined],
  [`inputs${'.a'.repeat(17)}`, undefined],
])('the field %j is parsed as %j', (name, field) => {
  expect(parseCallField(name)).toEqual(field)
})
