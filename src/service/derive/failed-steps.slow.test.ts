import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testProperty } from '../../testing/test-property'
import type { CallRow } from '../ingest/call-row'
import { CallWriter } from '../ingest/call-writer'
import { GrowingClock } from '../lib/growing-clock'
import type { Store } from '../store/store'
import { StoreError } from '../store/store-error'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { silentLogger } from '../testing/silent-logger'
import { listThreads } from '../threads/list-threads'
import { listQuarantined } from './quarantine'
import { conversationSpan } from './testing/conversation-span'
import { type Failure, failingStore, storeErrors } from './testing/failing-store'
import { patientTimes } from './testing/patient-times'
import { referenceThreads, sortReferenceThreads } from './testing/reference-threads'
import { TurnDeriver } from './turn-deriver'

let place: Awaited<ReturnType<typeof openTemporaryStore>>
const clock = new GrowingClock(() => Date.now())

beforeAll(async () => {
  place = await openTemporaryStore()
})
afterAll(() => place.remove())

const maxFailures = 8
// One more attempt than there are failures: whatever fails so often fails by itself.
const pausesMs = Array.from({ length: maxFailures }, () => 1)
const times = { ...patientTimes, maxCloseWaitMs: 1000, pausesMs, pausesUnderLoadMs: pausesMs, retry: { minMs: 1, maxMs: 4 } }

/** A deriver whose statements fail; calls are written and read by a store that works. */
function open(store: Store) {
  const deriver = new TurnDeriver({ store, insertClock: clock, logger: silentLogger, times })
  return { deriver, writer: new CallWriter(place.store, deriver) }
}

async function readThreads(projectId: string, filter?: { after_datetime: string }) {
  const threads = []
  for await (const batch of listThreads(place.store, { project_id: projectId, filter })) threads.push(...batch)
  return sortReferenceThreads(threads, [])
}

/** Readers get the errors of the store, and try again. */
async function flushPatiently(deriver: TurnDeriver, projectId: string): Promise<void> {
  for (let attempt = 0; attempt <= maxFailures; attempt += 1) {
    try {
      return await deriver.flush(projectId)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
    }
  }
  await deriver.flush(projectId)
}

const turn = (projectId: string, id: string, threadId: string, second: number): CallRow => ({
  project_id: projectId,
  id,
  turn_id: id,
  thread_id: threadId,
  started_at: `2026-01-01T00:00:0${second}Z`,
  ended_at: `2026-01-01T00:00:1${second}Z`,
})

test('a step that fails once is tried again, and the thread is as if it had not failed', async () => {
  let failures = 1
  const { deriver, writer } = open(
    failingStore(place.store, () => (failures-- > 0 ? { error: 'defect', isDone: false } : undefined)),
  )
  const rows = [turn('once/p', 'a', 't', 1), turn('once/p', 'b', 't', 2)]
  await writer.write(rows)
  await flushPatiently(deriver, 'once/p')
  expect(await readThreads('once/p')).toEqual(referenceThreads(rows))
  await writer.close()
})

const failure = fc.record({
  error: fc.constantFrom(...(Object.keys(storeErrors) as Failure['error'][])), // Object.keys() forgets the type of the keys
  isDone: fc.boolean(),
})
/** Before each failure so many statements succeed. */
const failures = fc.array(fc.record({ after: fc.nat({ max: 5 }), failure }), { maxLength: maxFailures })
const part = fc.record({
  project: fc.nat({ max: 2 }),
  id: fc.nat({ max: 3 }),
  thread: fc.constantFrom('t', 'u'),
  second: fc.nat({ max: 9 }),
  parent: fc.option(fc.nat({ max: 3 }), { nil: undefined }),
  isSpan: fc.boolean(),
})
const writes = fc.array(fc.array(part, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
let run = 0

testProperty(
  'whichever statements fail, in the end turns and threads are those of the reference model, and nothing is set aside',
  fc.record({ failures, writes }),
  { runs: 4, timeoutMs: 175_000 },
  async ({ failures: planned, writes: batches }) => {
    run += 1
    const plan = planned.flatMap(({ after, failure: each }) => [...Array.from({ length: after }, () => undefined), each])
    const { deriver, writer } = open(failingStore(place.store, () => plan.shift()))
    const toRow = ({ project, id, thread, second, parent, isSpan }: (typeof batches)[number][number]): CallRow => {
      const projectId = `failing-${run}/p${project}`
      if (!isSpan) return turn(projectId, `call-${id}`, thread, second)
      return conversationSpan(projectId, id, parent === id ? undefined : parent, { thread_id: thread })
    }
    const rows = batches.map((batch) => batch.map(toRow))
    const projectIds = [...new Set(rows.flat().map((row) => row.project_id))]
    for (const [index, batch] of rows.entries()) {
      await writer.write(batch)
      // Some are derived while others are written.
      if (index % 2 === 1) void deriver.flush(batch[0]?.project_id ?? '').catch(() => undefined)
    }
    for (const projectId of projectIds) {
      await flushPatiently(deriver, projectId)
      const expected = sortReferenceThreads(referenceThreads(rows.flat().filter((row) => row.project_id === projectId)), [])
      expect(await readThreads(projectId)).toEqual(expected)
      expect(await readThreads(projectId, { after_datetime: '1900-01-01T00:00:00Z' })).toEqual(expected)
    }
    const { latest } = await listQuarantined(place.store)
    expect(latest.filter((each) => projectIds.includes(each.project_id))).toEqual([])
    for (const projectId of projectIds) expect(deriver.hasCapacity(projectId)).toBe(true)
    await writer.close()
  },
)

testProperty(
  'a project of which every statement fails keeps no other project from being derived',
  fc.constantFrom(...(Object.keys(storeErrors) as Failure['error'][])), // as above
  { runs: 5 },
  async (error) => {
    run += 1
    const [failing, working] = [`waiting-${run}/failing`, `waiting-${run}/working`]
    const failingStoreOfProject: Store = {
      ...place.store,
      query: async (statement, ...more) => {
        if (JSON.stringify(statement).includes(failing)) throw storeErrors[error]
        return place.store.query(statement, ...more)
      },
    }
    const { deriver, writer } = open(failingStoreOfProject)
    await writer.write([turn(failing, 'a', 't', 1), turn(working, 'b', 't', 2)])
    await flushPatiently(deriver, working)
    const rows = [turn(working, 'b', 't', 2), turn(working, 'c', 't', 3)]
    await writer.write(rows.slice(1))
    await flushPatiently(deriver, working)
    expect(await readThreads(working)).toEqual(referenceThreads(rows))
    await writer.close()
  },
)
