import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatInstant } from '../../contract/instant'
import { referenceThreads, sortReferenceThreads } from '../derive/testing/reference-threads'
import { testProperty } from '../../testing/test-property'
import type { CallRow } from './call-row'
import { CallWriterFixture, everything } from '../testing/call-writer-fixture'

let fixture: CallWriterFixture

beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

const callIds = ['00000000000000a1', '00000000000000b2', '00000000000000c3', '00000000000000d4', '00000000000000e5']
const instant = fc.integer({ min: 0, max: 5_000_000 }).map((micro) => formatInstant(1_790_000_000_000_000n + BigInt(micro) * 37n))
const callId = fc.constantFrom(...callIds)
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })
const window = fc.record({ after: optional(instant), before: optional(instant) })
const part = fc.record({
  id: callId,
  thread_id: optional(fc.constantFrom('t', 'T', 'ü', '😀', '\uffff', 'tt')),
  turn_id: optional(fc.oneof({ weight: 3, arbitrary: fc.constant('own') }, { weight: 1, arbitrary: callId })),
  started_at: optional(instant),
  ended_at: optional(instant),
  deleted_at: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: instant }),
})

/** Parts of calls in any order, some repeated, split into requests, with restarts between some requests. */
const history = fc.array(part, { minLength: 1, maxLength: 14 }).chain((parts) =>
  fc.record({
    parts: fc.constant(parts),
    order: fc.shuffledSubarray([...parts.keys()], { minLength: parts.length, maxLength: parts.length }),
    repeated: fc.array(fc.nat({ max: parts.length - 1 }), { maxLength: 4 }),
    requestSizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 }),
    restarts: fc.array(fc.nat({ max: 8 }), { maxLength: 2 }),
    windows: fc.array(window, { minLength: 2, maxLength: 2 }),
  }),
)

const written: { projectId: string; filter?: object; threads: unknown }[] = []
let run = 0

testProperty(
  'parts of calls in any order, repeated, conflicting, split and deleted give the threads of the reference model',
  history,
  { runs: 30, timeoutMs: 170_000 },
  async ({ parts, order, repeated, requestSizes, restarts, windows }) => {
    run += 1
    const projectId = `property/${run}`
    const rows = parts.map((each): CallRow => ({
      ...each,
      project_id: projectId,
      turn_id: each.turn_id === 'own' ? each.id : each.turn_id,
    }))
    const sent = [...order, ...repeated].flatMap((index) => rows[index] ?? [])
    let from = 0
    for (let request = 0; from < sent.length; request += 1) {
      const size = requestSizes[request % requestSizes.length] ?? 1
      if (restarts.includes(request)) await fixture.restart()
      const writing = fixture.writer.write(sent.slice(from, from + size))
      // Every second request starts while the previous one is being written. Threads are read in between.
      if (request % 2 === 0) await writing
      if (request % 3 === 0) await fixture.readThreads(projectId, everything)
      from += size
      if (from >= sent.length) await writing
    }
    const threads = sortReferenceThreads(referenceThreads(rows), [])
    expect(await fixture.readThreads(projectId)).toEqual(threads)
    expect(await fixture.readThreads(projectId, everything)).toEqual(threads)
    written.push({ projectId, threads })
    // Random bounds, and bounds that equal the start of a part: bounds are exclusive.
    const starts = rows.flatMap(({ started_at }) => started_at ?? []).slice(0, 2)
    for (const { after, before } of [...windows, ...starts.map((start) => ({ after: start, before: undefined }))]) {
      const filter = { ...(after && { after_datetime: after }), ...(before && { before_datetime: before }) }
      const threadsInWindow = referenceThreads(rows, { ...(after && { after }), ...(before && { before }) })
      const expected = sortReferenceThreads(threadsInWindow, [])
      expect(await fixture.readThreads(projectId, filter)).toEqual(expected)
      written.push({ projectId, filter, threads: expected })
    }
  },
)

test('after a restart all projects of the property have the same threads as before', async () => {
  expect(written.length).toBeGreaterThan(0)
  await fixture.restart()
  for (const { projectId, filter, threads } of written) expect(await fixture.readThreads(projectId, filter)).toEqual(threads)
})
