import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { CallsFilter, ReadCall } from './call-requests'
import { CallEnd, CallStart, CompleteCall, renameCall } from './call-writes'
import { CreateCosts } from './cost-requests'
import { NewCost } from './new-cost'
import { NewFeedback } from './feedback'
import { readFileContent } from './files'
import { createObject, queryObjects, readObject, readRefs } from './objects'
import { createQueue, readQueue, streamQueues } from './queues'
import { countRowsOfTables, queryTable, updateTable } from './tables'
import { queryThreadUsage } from './thread-usage'
import { streamThreads } from './threads'
import { toProblems } from './to-problems'

const project_id = 'acme/support'
const id = '0'.repeat(16)
const start = { project_id, id, trace_id: id + id, op_name: 'answer', started_at: '2026-01-01', attributes: {}, inputs: {} }
const end = { project_id, id, ended_at: '2026-01-01', summary: {} }
const cost = { prompt_token_cost: 1, completion_token_cost: 1 }
const feedback = { project_id, weave_ref: 'weave:///acme/support/call/1', feedback_type: 'note', payload: {} }
const obj = { project_id, object_id: 'thing', val: 1 }
const queue = { project_id, name: 'Reviews', scorer_refs: [] }

function problems(schema: z.core.$ZodType, body: unknown) {
  const result = z.safeParse(schema, body)
  return result.success ? [] : toProblems(result.error.issues, body, ['body'])
}

test('the id of a thread has at most 1,024 characters', () => {
  expect(problems(CallStart, { ...start, thread_id: '🧵'.repeat(1024) })).toEqual([])
  expect(problems(CallStart, { ...start, thread_id: 'x'.repeat(1025) })).toEqual([
    { loc: ['body', 'thread_id'], msg: 'Too long: at most 1,024 characters.', type: 'string_too_long' },
  ])
})

type Case = [place: string, max: number, schema: z.core.$ZodType, toBody: (text: string) => unknown]

// Every text of a request that is stored as a key or a name, or is compared with one.
test.each<Case>([
  ['op_name', 4096, CallStart, (text) => ({ ...start, op_name: text })],
  ['display_name', 1024, CallStart, (text) => ({ ...start, display_name: text })],
  ['thread_id', 1024, CompleteCall, (text) => ({ ...start, ...end, thread_id: text })],
  ['exception', 1_048_576, CompleteCall, (text) => ({ ...start, ...end, exception: text })],
  ['exception', 1_048_576, CallEnd, (text) => ({ ...end, exception: text })],
  ['display_name', 1024, CallEnd, (text) => ({ ...end, display_name: text })],
  ['display_name', 1024, renameCall.request, (text) => ({ project_id, call_id: id, display_name: text })],
  ['filter.thread_ids.1', 1024, streamThreads.request, (text) => ({ project_id, filter: { thread_ids: ['a', text] } })],
  ['thread_ids.0', 1024, queryThreadUsage.request, (text) => ({ project_id, thread_ids: [text] })],
  ['op_names.0', 4096, CallsFilter, (text) => ({ op_names: [text] })],
  ['parent_ids.0', 256, CallsFilter, (text) => ({ parent_ids: [text] })],
  ['trace_ids.0', 256, CallsFilter, (text) => ({ trace_ids: [text] })],
  ['call_ids.0', 256, CallsFilter, (text) => ({ call_ids: [text] })],
  ['thread_ids.0', 1024, CallsFilter, (text) => ({ thread_ids: [text] })],
  ['turn_ids.0', 256, CallsFilter, (text) => ({ turn_ids: [text] })],
  ['input_refs.0', 4096, CallsFilter, (text) => ({ input_refs: [text] })],
  ['output_refs.0', 4096, CallsFilter, (text) => ({ output_refs: [text] })],
  ['wb_user_ids.0', 256, CallsFilter, (text) => ({ wb_user_ids: [text] })],
  ['id', 256, ReadCall, (text) => ({ project_id, id: text })],
  ['provider_id', 512, NewCost, (text) => ({ ...cost, provider_id: text })],
  ['prompt_token_cost_unit', 64, NewCost, (text) => ({ ...cost, prompt_token_cost_unit: text })],
  ['completion_token_cost_unit', 64, NewCost, (text) => ({ ...cost, completion_token_cost_unit: text })],
  ['creator', 256, NewFeedback, (text) => ({ ...feedback, creator: text })],
  ['digest', 256, readFileContent.request, (text) => ({ project_id, digest: text })],
  ['digest', 256, readObject.request, (text) => ({ project_id, object_id: 'thing', digest: text })],
  ['obj.builtin_object_class', 4096, createObject.request, (text) => ({ obj: { ...obj, builtin_object_class: text } })],
  ['filter.object_ids.0', 1024, queryObjects.request, (text) => ({ project_id, filter: { object_ids: [text] } })],
  [
    'filter.leaf_object_classes.0',
    4096,
    queryObjects.request,
    (text) => ({ project_id, filter: { leaf_object_classes: [text] } }),
  ],
  ['refs.0', 4096, readRefs.request, (text) => ({ refs: [text] })],
  ['digest', 256, queryTable.request, (text) => ({ project_id, digest: text })],
  ['filter.row_digests.0', 256, queryTable.request, (text) => ({ project_id, digest: 'a', filter: { row_digests: [text] } })],
  ['base_digest', 256, updateTable.request, (text) => ({ project_id, base_digest: text, updates: [] })],
  ['digests.0', 256, countRowsOfTables.request, (text) => ({ project_id, digests: [text] })],
  ['description', 65_536, createQueue.request, (text) => ({ ...queue, description: text })],
  ['name', 255, streamQueues.request, (text) => ({ project_id, name: text })],
  ['queue_id', 256, readQueue.request, (text) => ({ project_id, queue_id: text })],
])('%s has at most %i characters', (place, max, schema, toBody) => {
  expect(problems(schema, toBody('x'.repeat(max)))).toEqual([])
  const msg = `Too long: at most ${max.toLocaleString('en-US')} characters.`
  for (const text of ['x'.repeat(max + 1), '😀'.repeat(max + 1), 'x'.repeat(30_000_000)]) {
    expect(problems(schema, toBody(text))).toEqual([{ loc: ['body', ...place.split('.')], msg, type: 'string_too_long' }])
  }
})

test.each<Case>([
  ['weave_ref', 4096, NewFeedback, (text) => ({ ...feedback, weave_ref: text })],
  ['feedback_type', 4096, NewFeedback, (text) => ({ ...feedback, feedback_type: text })],
  ['project_id', 256, NewFeedback, (text) => ({ ...feedback, project_id: text })],
  ['scorer_refs.0', 100, createQueue.request, (text) => ({ ...queue, scorer_refs: [`${text}:///acme/support/scorer/a:v1`] })],
])('%s of 30 million characters is refused in a few words', (place, _, schema, toBody) => {
  const found = problems(schema, toBody('x'.repeat(30_000_000)))
  expect(found.map(({ loc }) => loc)).toEqual([['body', ...place.split('.')]])
  expect(found[0]?.msg.length).toBeLessThan(300)
})

test('the names of models in usage have at most 512 characters', () => {
  const withUsage = (usage: unknown) => ({ ...end, summary: { usage } })
  expect(problems(CallEnd, withUsage({ ['m'.repeat(512)]: { input_tokens: 1 } }))).toEqual([])
  for (const usage of [null, 5, ['x'.repeat(600)], 'text']) expect(problems(CallEnd, withUsage(usage))).toEqual([])
  const [problem] = problems(CallEnd, withUsage({ ok: {}, ['m'.repeat(513)]: {} }))
  expect(problem).toEqual({
    loc: ['body', 'summary', 'usage', `${'m'.repeat(60)}…`],
    msg: 'The name of the model is too long: at most 512 characters.',
    type: 'string_too_long',
  })
})

test('an error repeats only the beginning of a long name that the client chose', () => {
  const name = 'm'.repeat(30_000_000)
  const found = [
    ...problems(CreateCosts, { project_id, costs: { [name]: cost } }),
    ...problems(streamThreads.request, { project_id, [name]: 1 }),
  ]
  expect(found.map(({ type }) => type)).toEqual(['string_too_long', 'extra_forbidden'])
  for (const { loc } of found) expect(loc.at(-1)).toBe(`${'m'.repeat(60)}…`)
})

test('the usage of a call has at most 64 models', () => {
  const usageOf = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`model-${index}`, { requests: 1 }]))
  for (const [schema, call] of [
    [CallEnd, end],
    [CompleteCall, { ...start, ...end }],
  ] as const) {
    expect(problems(schema, { ...call, summary: { usage: usageOf(64) } })).toEqual([])
    expect(problems(schema, { ...call, summary: { usage: usageOf(65) } })).toEqual([
      { loc: ['body', 'summary', 'usage'], msg: 'Too many models: at most 64 in the usage of one call.', type: 'too_long' },
    ])
  }
})
