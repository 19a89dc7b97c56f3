import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareText } from '../../contract/compare-text'
import { testProperty } from '../../testing/test-property'
import { TimeSlices } from '../lib/time-slices'
import { findOwnUsage, type OwnUsage, type TracedCall } from './own-usage'
import { kinds, type PlainUsage, referenceOwnUsage, type ReferenceShare } from './testing/reference-own-usage'
import { addUsage, parseUsage } from './usage'

const usageOf = (model: string, prompt: number, completion = 0, read = 0) =>
  parseUsage({
    [model]: { requests: 1, prompt_tokens: prompt, completion_tokens: completion, cache_read_input_tokens: read },
  })
const call = (
  id: string,
  parentId: string | null,
  usage: TracedCall['usage'],
  changes: Partial<TracedCall> = {},
): TracedCall => ({
  id,
  parent_id: parentId,
  thread_id: null,
  user_id: null,
  is_span: false,
  response_id: null,
  library: null,
  usage,
  ...changes,
})
const nothing = new Map()

function toPlain(found: readonly OwnUsage<TracedCall>[]): ReferenceShare[] {
  return found.flatMap(({ call: { id }, threadId, usage }) =>
    [...usage].map(([model, tokens]) => ({
      id,
      threadId,
      model,
      usage: Object.fromEntries(kinds.map((kind) => [kind, tokens[kind]])) as PlainUsage, // one entry for each kind
    })),
  )
}
/** The prompt tokens that each call spent itself, by id. */
async function promptTokens(trace: readonly TracedCall[]): Promise<Record<string, number>> {
  return Object.fromEntries(toPlain(await findOwnUsage(trace)).map(({ id, usage }) => [id, usage.prompt_tokens]))
}

test('a turn spent what it reported less what its calls did, in the thread that they share', async () => {
  const trace = [
    call('turn', null, usageOf('m', 100, 12), { thread_id: 't' }),
    call('tool', 'turn', usageOf('m', 70, 10)),
    call('model', 'tool', usageOf('m', 70, 10)),
  ]
  expect(toPlain(await findOwnUsage(trace))).toMatchObject([
    { id: 'turn', threadId: 't', model: 'm', usage: { prompt_tokens: 30, completion_tokens: 2, total_tokens: 32 } },
    { id: 'model', threadId: 't', model: 'm', usage: { prompt_tokens: 70, completion_tokens: 10, total_tokens: 80 } },
  ])
})

const span = { is_span: true }
test.each<[string, TracedCall[], Record<string, number>]>([
  [
    'a turn that still runs counts by its finished calls',
    [call('turn', null, nothing), call('a', 'turn', usageOf('m', 3)), call('b', 'turn', usageOf('m', 4))],
    { a: 3, b: 4 },
  ],
  [
    'a call that ended after the turn is not subtracted below zero',
    [call('turn', null, usageOf('m', 3)), call('a', 'turn', usageOf('m', 3)), call('late', 'turn', usageOf('m', 4))],
    { a: 3, late: 4 },
  ],
  [
    'models are subtracted each by itself',
    [call('turn', null, usageOf('m', 5)), call('a', 'turn', usageOf('n', 5))],
    { turn: 5, a: 5 },
  ],
  [
    'only direct children are subtracted: they have added up the calls below',
    [call('turn', null, usageOf('m', 9)), call('a', 'turn', nothing), call('b', 'a', usageOf('m', 5))],
    { turn: 9, b: 5 },
  ],
  [
    'of spans the lowest counts, under whatever name of its model',
    [
      call('agent', null, usageOf('gpt', 9), span),
      call('step', 'agent', nothing, span),
      call('model', 'step', usageOf('m', 5), span),
    ],
    { model: 5 },
  ],
  [
    'a span counts while the spans below it have reported nothing',
    [call('agent', null, usageOf('m', 9), span), call('model', 'agent', usageOf('m', 0), span)],
    { agent: 9, model: 0 },
  ],
  [
    'a span above a call repeats what the call reports',
    [call('agent', null, usageOf('m', 9), span), call('model', 'agent', usageOf('m', 5))],
    { model: 5 },
  ],
  [
    'a call subtracts what a span below it reports',
    [call('turn', null, usageOf('m', 9)), call('model', 'turn', usageOf('m', 5), span)],
    { turn: 4, model: 5 },
  ],
  [
    'and only what the span itself reports, whether or not that counts',
    [
      call('turn', null, usageOf('m', 9)),
      call('agent', 'turn', usageOf('m', 6), span),
      call('model', 'agent', usageOf('m', 5), span),
    ],
    { turn: 3, model: 5 },
  ],
  [
    'calls that are parents of each other are nobody’s children',
    [
      call('a', 'b', usageOf('m', 5)),
      call('b', 'a', usageOf('m', 7)),
      call('c', 'b', usageOf('m', 3)),
      call('d', 'd', usageOf('m', 1)),
    ],
    { a: 5, b: 4, c: 3, d: 1 },
  ],
  [
    'a call whose parent has not arrived is a root',
    [call('a', 'unknown', usageOf('m', 5)), call('b', 'a', usageOf('m', 5))],
    { b: 5 },
  ],
])('%s', async (_, trace, expected) => {
  expect(await promptTokens(trace)).toEqual(expected)
})

const report = (library: string, responseId: string | null, changes: Partial<TracedCall> = {}) => ({
  is_span: true,
  library,
  response_id: responseId,
  ...changes,
})
test.each<[string, TracedCall[], Record<string, number>]>([
  [
    'a response that two libraries report side by side counts once',
    [
      call('turn', null, nothing, span),
      call('a', 'turn', usageOf('m', 5), report('traceloop', 'r1')),
      call('b', 'turn', usageOf('m', 5), report('anthropic', 'r1')),
      call('c', 'turn', usageOf('m', 7), report('traceloop', 'r2')),
    ],
    { b: 5, c: 7 },
  ],
  [
    'as reported by the library that tells of cached tokens',
    [call('a', null, usageOf('m', 5, 0, 3), report('x', 'r')), call('b', null, usageOf('m', 5), report('anthropic', 'r'))],
    { a: 5 },
  ],
  [
    'or by the one that knows its thread',
    [
      call('a', null, usageOf('m', 5, 0, 3), report('x', 'r')),
      call('b', null, usageOf('m', 6), report('y', 'r', { thread_id: 't' })),
    ],
    { b: 6 },
  ],
  [
    'responses of a server that gives all the same id count all',
    [
      call('a', null, usageOf('m', 1), report('x', 'r')),
      call('b', null, usageOf('m', 2), report('x', 'r')),
      call('c', null, usageOf('m', 1), report('y', 'r')),
      call('d', null, usageOf('m', 2), report('y', 'r')),
    ],
    { a: 1, b: 2 },
  ],
  [
    'a report without tokens takes nothing from one that has them',
    [call('a', null, usageOf('m', 0), report('a', 'r')), call('b', null, usageOf('m', 5), report('b', 'r'))],
    { a: 0, b: 5 },
  ],
  [
    'nor does a report that repeats what is below it',
    [call('agent', null, usageOf('m', 5, 0, 3), report('a', 'r')), call('model', 'agent', usageOf('m', 5), report('b', 'r'))],
    { model: 5 },
  ],
  [
    'a call subtracts a response once, too',
    [
      call('turn', null, usageOf('m', 9)),
      call('a', 'turn', usageOf('m', 5), report('x', 'r')),
      call('b', 'turn', usageOf('m', 5), report('y', 'r')),
    ],
    { turn: 4, a: 5 },
  ],
])('%s', async (_, trace, expected) => {
  expect(await promptTokens(trace)).toEqual(expected)
  expect(await promptTokens(trace.toReversed())).toEqual(expected)
})

test('a part of what is left is never more than the whole', async () => {
  const trace = [call('turn', null, usageOf('m', 100, 0, 50)), call('a', 'turn', usageOf('m', 90, 0, 0))]
  const [turn] = toPlain(await findOwnUsage(trace))
  expect(turn?.usage).toMatchObject({ prompt_tokens: 10, cache_read_input_tokens: 10, total_tokens: 10 })
})

test('a call without a thread belongs to the nearest thread above it, across spans and calls', async () => {
  const trace = [
    call('root', null, nothing, { thread_id: 't' }),
    call('agent', 'root', nothing, { ...span, thread_id: 'u' }),
    call('step', 'agent', usageOf('m', 1)),
    call('model', 'step', usageOf('m', 1), span),
    call('other', 'root', usageOf('m', 2), span),
    call('stray', null, usageOf('m', 3)),
  ]
  const threads = (await findOwnUsage(trace)).map(({ call: { id }, threadId }) => [id, threadId])
  expect(threads).toEqual([
    ['model', 'u'],
    ['other', 't'],
    ['stray', null],
  ])
})

const counts = fc.record({
  requests: fc.nat(2),
  prompt_tokens: fc.nat(30),
  completion_tokens: fc.nat(30),
  cache_read_input_tokens: fc.nat(30),
  cache_creation_input_tokens: fc.nat(5),
})
/** Few ids, so that parents exist, are missing, come later in the list, or are in circles. */
const traces = fc
  .uniqueArray(
    fc.record({
      index: fc.nat(12),
      parent: fc.option(fc.nat(13), { freq: 5 }),
      thread: fc.option(fc.constantFrom('t', 'u'), { freq: 1 }),
      is_span: fc.boolean(),
      response: fc.option(fc.constantFrom('r', 's'), { freq: 2 }),
      library: fc.constantFrom('x', 'y', 'z'),
      usage: fc.dictionary(fc.constantFrom('m', 'n'), counts),
    }),
    { selector: ({ index }) => index, maxLength: 13 },
  )
  .map((calls) =>
    calls.map(({ index, parent, thread, is_span, response, library, usage }) =>
      call(`${index}`, parent === null ? null : `${parent}`, parseUsage(usage), {
        thread_id: thread,
        is_span,
        response_id: response,
        library,
      }),
    ),
  )
const byId = (left: ReferenceShare, right: ReferenceShare) =>
  compareText(`${left.id} ${left.model}`, `${right.id} ${right.model}`)

testProperty('every trace, in any order, gives what the reference model gives', traces, { runs: 500 }, async (trace) => {
  const expected = referenceOwnUsage(trace).toSorted(byId)
  expect(toPlain(await findOwnUsage(trace)).toSorted(byId)).toEqual(expected)
  expect(toPlain(await findOwnUsage(trace.toReversed())).toSorted(byId)).toEqual(expected)
})

/** Trees of calls with what each spent itself, as an SDK reports them: with all below. */
const trees = fc.array(fc.record({ parent: fc.nat(20), usage: counts }), { minLength: 1, maxLength: 15 }).map((nodes) => {
  const own = nodes.map(({ usage }) => parseUsage({ m: usage }).get('m'))
  const parents = nodes.map(({ parent }, index) => (index === 0 ? -1 : parent % index))
  const reported = [...own]
  for (let index = nodes.length - 1; index > 0; index -= 1) {
    const [above, below] = [reported[parents[index] ?? 0], reported[index]]
    if (above && below) reported[parents[index] ?? 0] = addUsage(above, below)
  }
  const trace = nodes.map((_, index) => {
    const usage = reported[index]
    return call(`${index}`, index === 0 ? null : `${parents[index]}`, usage ? new Map([['m', usage]]) : nothing)
  })
  return { trace, own }
})

testProperty(
  'where calls report exact sums, each is found to have spent what it did, and together what the root reported',
  trees,
  { runs: 300 },
  async ({ trace, own }) => {
    const found = await findOwnUsage(trace)
    for (const [index, usage] of own.entries()) {
      const spent = found.find(({ call: { id } }) => id === `${index}`)?.usage.get('m')
      if (spent || kinds.some((kind) => (usage?.[kind] ?? 0) > 0)) expect(spent).toEqual(usage)
    }
    const sum = found.map(({ usage }) => usage.get('m')).reduce((left, right) => (left && right ? addUsage(left, right) : left))
    if (sum) expect(sum).toEqual(trace[0]?.usage.get('m'))
  },
)

/** A slice ends at each thousandth look at the clock, however fast the machine is. */
class CountedSlices extends TimeSlices {
  private looks = 0
  ended = 0

  override get isOver(): boolean {
    this.looks += 1
    return this.looks % 1000 === 0
  }

  override async next(): Promise<void> {
    this.ended += 1
    await super.next()
  }
}

test('traces of fifty thousand calls do not keep others waiting, deep or wide', async () => {
  const usage = usageOf('m', 1)
  const indices = Array.from({ length: 50_000 }, (_, index) => index)
  const chain = indices.map((index) => call(`c${index}`, `c${index - 1}`, usage))
  const star = indices.map((index) => call(`c${index}`, 'c0', usage))
  for (const trace of [chain, star]) {
    const slices = new CountedSlices()
    await findOwnUsage(trace, slices)
    // Each of the four passes over the calls looks at the clock for each call.
    expect(slices.ended).toBeGreaterThanOrEqual(200)
  }
})
