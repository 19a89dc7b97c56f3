import * as fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { testProperty } from '../../testing/test-property'
import type { CallRow } from '../ingest/call-row'
import { CallWriter } from '../ingest/call-writer'
import { toInstant, toSpanId, toTraceId } from './testing/conversation-span'
import { CallWriterFixture, everything } from '../testing/call-writer-fixture'
import { referenceThreads, sortReferenceThreads } from './testing/reference-threads'

let fixture: CallWriterFixture
/** Two requests, or two copies of the service, may write at once. */
let secondWriter: CallWriter

beforeAll(async () => {
  fixture = await CallWriterFixture.open()
  secondWriter = new CallWriter(fixture.store, fixture.deriver)
})

afterAll(() => fixture.close())

const spanCount = 9
/** One report of a span. There are few ids, so parents exist, are missing, are in another trace, in a circle, or the span itself. */
const span = fc
  .record({
    index: fc.nat({ max: spanCount - 1 }),
    parent: fc.option(fc.nat({ max: spanCount }), { freq: 6, nil: undefined }),
    trace: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
    thread: fc.option(fc.constantFrom('t', 't', 't', 'u'), { freq: 8, nil: undefined }),
    kind: fc.constantFrom('conversation', 'conversation', 'conversation', 'thread', 'turn'),
    start: fc.nat({ max: 50 }),
    length: fc.option(fc.integer({ min: -2, max: 9 }), { freq: 5, nil: undefined }),
  })
  .map(({ index, parent, trace, thread, kind, start, length }): CallRow => ({
    project_id: '',
    is_span: true,
    id: toSpanId(index),
    trace_id: toTraceId(trace),
    parent_id: parent === undefined ? undefined : toSpanId(parent),
    thread_id: thread,
    turn_id: thread !== undefined && kind === 'turn' ? toSpanId(index) : undefined,
    is_conversation: thread !== undefined && kind === 'conversation',
    op_name: 'chat',
    started_at: toInstant(start),
    ended_at: length === undefined ? undefined : toInstant(start + length),
  }))
/** A part of the same call that did not arrive by OTLP. */
const otherPart = fc
  .record({ index: fc.nat({ max: spanCount - 1 }), thread: fc.constantFrom('t', 'u', undefined), turn: fc.nat({ max: 2 }) })
  .map(({ index, thread, turn }): CallRow => ({
    project_id: '',
    id: toSpanId(index),
    thread_id: thread,
    turn_id: turn === 0 ? undefined : turn === 1 ? toSpanId(index) : toSpanId(7),
    ended_at: toInstant(60),
  }))

const deletion = fc
  .nat({ max: spanCount - 1 })
  .map((index): CallRow => ({ project_id: '', id: toSpanId(index), deleted_at: toInstant(99) }))

const arrival = fc
  .array(fc.oneof({ weight: 12, arbitrary: span }, ...[otherPart, deletion].map((arbitrary) => ({ weight: 1, arbitrary }))), {
    minLength: 2,
    maxLength: 16,
  })
  .chain((rows) =>
    fc.record({
      rows: fc.constant(rows),
      order: fc.shuffledSubarray([...rows.keys()], { minLength: rows.length, maxLength: rows.length }),
      repeated: fc.array(fc.nat({ max: rows.length - 1 }), { maxLength: 4 }),
      sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 }),
      restartAt: fc.nat({ max: 150 }),
    }),
  )

let run = 0
testProperty(
  'spans of conversations in any order, repeated, contradictory, deleted, in parallel and over restarts give the turns of the reference model',
  arrival,
  { runs: 40, timeoutMs: 180_000 },
  async ({ rows, order, repeated, sizes, restartAt }) => {
    run += 1
    const projectId = `forest/${run}`
    const ownRows = rows.map((row): CallRow => ({ ...row, project_id: projectId }))
    const sent = [...order, ...repeated].flatMap((index) => ownRows[index] ?? [])
    let writes: Promise<unknown>[] = []
    for (let from = 0, request = 0; from < sent.length; request += 1) {
      const size = sizes[request % sizes.length] ?? 1
      const writer = request % 2 === 0 ? fixture.writer : secondWriter
      writes.push(writer.write(sent.slice(from, from + size)))
      if (request % 3 === 0) {
        await Promise.all(writes)
        writes = []
      }
      // Turns are derived when somebody reads: from several requests at once, from one, or while another is being written.
      if (request % 5 < 3) await fixture.readThreads(projectId)
      from += size
      if (request === restartAt) {
        await Promise.all(writes)
        writes = []
        await fixture.restart()
        secondWriter = new CallWriter(fixture.store, fixture.deriver)
      }
    }
    await Promise.all(writes)
    const expected = sortReferenceThreads(referenceThreads(ownRows), [])
    expect(await fixture.readThreads(projectId)).toEqual(expected)
    expect(await fixture.readThreads(projectId, everything)).toEqual(expected)
  },
)
