import * as fc from 'fast-check'
import { afterAll, beforeAll, expect } from 'vitest'
import { ThreadShape } from '../../../contract/thread-shape'
import { testProperty } from '../../../testing/test-property'
import type { CallRow } from '../../ingest/call-row'
import { CallWriterFixture } from '../../testing/call-writer-fixture'
import { readHistory } from './read-history'
import { readShape } from './read-shape'
import { referenceHistory, referenceShape } from './testing/reference-shape'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

// Around the change of clocks in Europe and the first second of 1970.
const origins = [Date.parse('2026-03-28T20:00:00Z'), Date.parse('1969-12-31T22:00:00Z')]
const startMs = fc
  .tuple(fc.constantFrom(...origins), fc.nat(3 * 86_400_000))
  .map(([origin, offset]) => origin + offset - (offset % 250))
/** Steps of the scales are hit exactly. */
const durationMs = fc.oneof(fc.constantFrom(0, -5, 1.5, 2.2, 4.7, 1200, 33_000, 47_000), fc.integer({ min: 0, max: 100_000 }))

const part = fc.record({
  index: fc.nat(30),
  thread: fc.constantFrom('t-1', 't-1', 't-2', 'u', 'v'),
  startMs,
  durationMs: fc.option(durationMs, { freq: 4 }),
  isNested: fc.integer({ min: 0, max: 5 }).map((value) => value === 0),
})

function toRow(
  projectId: string,
  { index, thread, startMs: start, durationMs: duration, isNested }: typeof part extends fc.Arbitrary<infer Part> ? Part : never,
): CallRow {
  const id = `c${String(index).padStart(15, '0')}`
  return {
    project_id: projectId,
    id,
    trace_id: '1'.repeat(32),
    thread_id: thread,
    turn_id: isNested ? 'c-none' : id,
    op_name: 'answer',
    started_at: toInstant(start),
    ...(duration !== null && { ended_at: toInstant(start + duration) }),
  }
}

/** To the microsecond. */
function toInstant(ms: number): string {
  const whole = Math.floor(ms)
  const micros = Math.round((ms - whole) * 1000)
  return new Date(whole).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`)
}

const filter = fc.record(
  {
    after_datetime: startMs.map(toInstant),
    before_datetime: startMs.map(toInstant),
    thread_ids: fc.subarray(['t-1', 'u', 'x']),
    thread_id_prefix: fc.constantFrom('t', 't-1', 'x'),
    min_turns: fc.nat(3),
    min_p50_ms: durationMs.filter((ms) => ms >= 0),
    min_p99_ms: durationMs.filter((ms) => ms >= 0),
  },
  { requiredKeys: [] },
)

let run = 0
testProperty(
  'the shape and the history of a list are those of the plain definition, for every filter, interval and time zone',
  fc.record({
    parts: fc.array(part, { minLength: 1, maxLength: 40 }),
    requests: fc.array(
      fc.record({
        filter,
        interval: fc.constantFrom('day' as const, 'week' as const, 'month' as const),
        time_zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu'),
      }),
      { minLength: 2, maxLength: 4 },
    ),
  }),
  { runs: 15, timeoutMs: 240_000 },
  async ({ parts, requests }) => {
    const project_id = `shape/run-${(run += 1)}`
    const rows = parts.map((each) => toRow(project_id, each))
    await fixture.writer.write(rows)
    await fixture.deriver.flush(project_id)
    for (const request of requests) {
      const full = { project_id, ...request, filter: { ...noFilter, ...request.filter } }
      const selection = { parts: rows, filter: request.filter }
      const shape = await readShape(fixture.store, full, {})
      expect(ThreadShape.parse(shape)).toEqual(shape)
      expect(sortNames(shape)).toEqual(sortNames(referenceShape(selection, request.interval, request.time_zone)))
      const history = (interval: typeof request.interval | undefined) =>
        readHistory(fixture.store, { ...full, interval, include_errors: undefined }, {})
      expect(await history(request.interval)).toEqual(referenceHistory(selection, request.interval, request.time_zone))
      expect(await history(undefined)).toEqual(referenceHistory(selection, undefined, request.time_zone))
    }
  },
)

const noFilter = {
  after_datetime: undefined,
  before_datetime: undefined,
  thread_ids: undefined,
  thread_id_prefix: undefined,
  text: undefined,
  has_errors: undefined,
  models: undefined,
  op_names: undefined,
  users: undefined,
  min_turns: undefined,
  min_p50_ms: undefined,
  min_p99_ms: undefined,
  min_cost: undefined,
}

/** Threads of one cell with the same p99 have no order. */
function sortNames({ threads, ...shape }: ThreadShape): ThreadShape {
  return {
    ...shape,
    threads: threads.map((cell) => ({
      ...cell,
      threads: cell.threads.toSorted((left, right) => (left.thread_id < right.thread_id ? -1 : 1)),
    })),
  }
}
