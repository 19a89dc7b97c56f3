import { afterAll, beforeAll, expect, test } from 'vitest'
import { toInstant, toSpanId, toTraceId } from '../derive/testing/conversation-span'
import type { CallRow } from '../ingest/call-row'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { type SpanPlace, SpanPlaces } from './span-turns'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

const project_id = 'around/p'
const span = (index: number, parent: number | undefined, more: Partial<CallRow> = {}): CallRow => ({
  project_id,
  id: toSpanId(index),
  trace_id: toTraceId(1),
  parent_id: parent === undefined ? undefined : toSpanId(parent),
  is_span: true,
  op_name: 'op',
  started_at: toInstant(index),
  ended_at: toInstant(index + 1),
  ...more,
})
/** A call that is a turn of a thread. */
const turn = (index: number, parent: number | undefined) =>
  span(index, parent, { is_span: undefined, thread_id: 't', turn_id: toSpanId(index) })

const deps = () => ({ store: fixture.store, deriver: fixture.deriver, projectId: project_id, options: {} })
const places = (isLarge: boolean) => new SpanPlaces(deps(), isLarge ? 0 : undefined)

test('a span of a large trace has the turn and the status that it has in the whole trace', async () => {
  const failedEnd = { project_id, id: toSpanId(5), ended_at: toInstant(9), exception: 'late' }
  const deleted = { project_id, id: toSpanId(8), deleted_at: toInstant(99) }
  await fixture.writer.write([
    turn(1, undefined),
    span(2, 1),
    span(3, 2),
    span(4, 2),
    span(5, 4),
    span(6, 4, { exception: 'boom' }),
    span(7, 3),
    // Nothing is above a deleted span.
    span(8, 2),
    span(9, 8),
    span(10, 9, { exception: 'boom' }),
    // The span between has not arrived; its parent names the turn.
    span(11, 30, { turn_id: toSpanId(1) }),
    span(12, 11),
    span(13, 12),
    // A circle, and a span below it.
    span(14, 15),
    span(15, 14),
    span(16, 15),
    span(17, 17),
    failedEnd,
    deleted,
  ])
  const spans = [2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17].map((index) => ({
    id: toSpanId(index),
    trace_id: toTraceId(1),
    is_span: true,
  }))
  const whole = await places(false).find(spans)
  const turnId = toSpanId(1)
  expect(whole.get(toSpanId(4))).toEqual({ turnId, isAboveFailure: true })
  expect(whole.get(toSpanId(3))).toEqual({ turnId, isAboveFailure: false })
  expect(whole.get(toSpanId(13))).toEqual({ turnId, isAboveFailure: false })
  expect(whole.get(toSpanId(9))).toEqual({ turnId: null, isAboveFailure: true })
  for (const one of spans) expect(await places(true).find([one]), one.id).toEqual(new Map([[one.id, whole.get(one.id)]]))
  expect(await places(true).find(spans)).toEqual(whole)
})

test('a failure that only a late end reports is above the spans of a large trace', async () => {
  const trace_id = toTraceId(2)
  const end = { project_id, id: toSpanId(43), ended_at: toInstant(50), exception: 'late' }
  await fixture.writer.write([span(41, undefined, { trace_id }), span(42, 41, { trace_id }), span(43, 42, { trace_id }), end])
  const found = await places(true).find([{ id: toSpanId(41), trace_id, is_span: true }])
  expect(found).toEqual(new Map([[toSpanId(41), { turnId: null, isAboveFailure: true }]]))
})

test('a span of a large trace has the turn that the last known call above it names', async () => {
  const trace_id = toTraceId(4)
  const named = span(52, 80, { trace_id, turn_id: toSpanId(51) })
  await fixture.writer.write([{ ...turn(51, undefined), trace_id }, named, span(53, 52, { trace_id })])
  const found = await places(true).find([{ id: toSpanId(53), trace_id, is_span: true }])
  expect(found).toEqual(new Map([[toSpanId(53), { turnId: toSpanId(51), isAboveFailure: false }]]))
})

test('more failures than are looked at one by one are found in the whole trace', async () => {
  const trace_id = toTraceId(3)
  const failed = Array.from({ length: 10_100 }, (_, index) => span(20_000 + index, 999, { trace_id, exception: 'boom' }))
  await fixture.writer.write([span(998, undefined, { trace_id }), span(999, 998, { trace_id }), ...failed])
  const found = await places(false).find([{ id: toSpanId(998), trace_id, is_span: true }])
  expect(found).toEqual(new Map([[toSpanId(998), { turnId: null, isAboveFailure: true }]]))
})

test('places that were begun are used for those spans, and others are read', async () => {
  const trace_id = toTraceId(5)
  const other = toTraceId(6)
  await fixture.writer.write([
    { ...turn(61, undefined), trace_id },
    span(62, 61, { trace_id }),
    span(63, 62, { trace_id, exception: 'boom' }),
    span(64, undefined, { trace_id: other }),
    span(65, 64, { trace_id: other, exception: 'boom' }),
  ])
  const of = (index: number, trace = trace_id) => ({ id: toSpanId(index), trace_id: trace, is_span: true })
  const expected = new Map([
    [toSpanId(62), { turnId: toSpanId(61), isAboveFailure: true }],
    [toSpanId(63), { turnId: toSpanId(61), isAboveFailure: false }],
    [toSpanId(64), { turnId: null, isAboveFailure: true }],
  ])
  const only = (...indices: number[]) => new Map(indices.map((index) => [toSpanId(index), expected.get(toSpanId(index))]))
  for (const isLarge of [false, true]) {
    const begun = places(isLarge)
    begun.begin([of(62), of(63), { id: toSpanId(61), trace_id }])
    expect(await begun.find([of(62), of(63)])).toEqual(only(62, 63))
    expect(await begun.find([of(63)])).toEqual(only(63))
    expect(await begun.find([of(62), of(64, other)])).toEqual(only(62, 64))

    const misled = places(isLarge)
    misled.begin([of(64)])
    expect(await misled.find([of(64, other)])).toEqual(only(64))
  }
})

test('what a span is in one trace says nothing of another, whichever are read together', async () => {
  const [first, second] = [toTraceId(7), toTraceId(8)]
  const inThread = { trace_id: first, thread_id: 't', is_conversation: true }
  await fixture.writer.write([
    span(71, undefined, inThread),
    span(72, undefined, inThread),
    span(71, undefined, { trace_id: second }),
    span(73, 71, { trace_id: second }),
  ])
  const of = (index: number, trace_id: string) => ({ id: toSpanId(index), trace_id, is_span: true })
  const below = new Map<string, SpanPlace>([[toSpanId(73), { turnId: null, isAboveFailure: false }]])
  expect(await places(false).find([of(73, second)])).toEqual(below)
  const other = new Map<string, SpanPlace>([[toSpanId(72), { turnId: toSpanId(72), isAboveFailure: false }]])
  expect(await places(false).find([of(73, second), of(72, first)])).toEqual(new Map([...below, ...other]))
})

test('an error of places that were begun is that of those who ask for them', async () => {
  const asked = { id: toSpanId(62), trace_id: toTraceId(5), is_span: true }
  const aborted = new SpanPlaces({ ...deps(), options: { signal: AbortSignal.abort() } })
  aborted.begin([asked])
  await expect(aborted.find([asked])).rejects.toMatchObject({ kind: 'aborted' })
  const unasked = new SpanPlaces({ ...deps(), options: { signal: AbortSignal.abort() } })
  unasked.begin([asked])
  expect(await unasked.find([])).toEqual(new Map())
})
