import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallRow } from '../ingest/call-row'
import { CallWriter } from '../ingest/call-writer'
import { recoverDerived } from './recover-derived'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { listThreads } from '../threads/list-threads'
import { TurnDeriver } from './turn-deriver'
import { silentLogger } from '../testing/silent-logger'

const projectId = 'windows/p'

let place: Awaited<ReturnType<typeof openTemporaryStore>>
let summary: TurnDeriver
let writer: CallWriter

function openWriter() {
  summary = new TurnDeriver({ store: place.store, logger: silentLogger })
  writer = new CallWriter(place.store, summary)
}

beforeAll(async () => {
  place = await openTemporaryStore()
  openWriter()
})

afterAll(async () => {
  await writer.close()
  await place.remove()
})

const startOf = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`

const turn = (id: string, threadId: string, minute: number): CallRow => ({
  project_id: projectId,
  id,
  turn_id: id,
  thread_id: threadId,
  started_at: startOf(minute),
})

/** The threads with a turn that started after one minute of the hour and before another, with the count of those. */
async function countsWithin(after: number, before: number): Promise<Record<string, number>> {
  await summary.flush(projectId)
  const counts: Record<string, number> = {}
  const filter = { after_datetime: startOf(after), before_datetime: startOf(before) }
  for await (const batch of listThreads(place.store, { project_id: projectId, filter })) {
    for (const { thread_id, turn_count } of batch) counts[thread_id] = turn_count
  }
  return counts
}

test('a turn whose start turns out to be earlier leaves the later window and enters the earlier one', async () => {
  await writer.write([turn('a', 't', 30), turn('b', 't', 31)])
  expect(await countsWithin(20, 40)).toEqual({ t: 2 })
  await writer.write([turn('a', 't', 10)])
  expect(await countsWithin(20, 40)).toEqual({ t: 1 })
  expect(await countsWithin(5, 15)).toEqual({ t: 1 })
  // The first part, sent again, does not bring the old start back.
  await writer.write([turn('a', 't', 30)])
  expect(await countsWithin(20, 40)).toEqual({ t: 1 })
  expect(await countsWithin(0, 59)).toEqual({ t: 2 })
})

test('a turn that moves to another thread with an earlier start is counted once, in that thread and at that start', async () => {
  await writer.write([turn('moved', 'm', 50)])
  await writer.write([turn('moved', 'n', 45)])
  expect(await countsWithin(49, 51)).toEqual({})
  expect(await countsWithin(44, 46)).toEqual({ n: 1 })
  await writer.write([turn('moved', 'm', 41)])
  expect(await countsWithin(40, 55)).toEqual({ n: 1 })
  expect(await countsWithin(40, 42)).toEqual({ n: 1 })
})

test('turns that a store held before it had them by time are found by it, and move in it as others do', async () => {
  const before = await countsWithin(0, 59)
  await writer.close()
  const undo = [
    'DROP TABLE turns_by_start',
    'ALTER TABLE turns DROP COLUMN started_ats',
    "ALTER TABLE migrations DELETE WHERE name = 'turns by their start' SETTINGS mutations_sync = 1",
  ]
  for (const statement of undo) await place.store.command(statement)
  await place.reopen()
  openWriter()
  expect(before).toEqual({ t: 2, n: 1 })
  expect(await countsWithin(0, 59)).toEqual(before)
  await writer.write([turn('b', 't', 3)])
  expect(await countsWithin(30, 32)).toEqual({})
  expect(await countsWithin(2, 4)).toEqual({ t: 1 })
})

test('a turn that was stored and not yet copied when the process ended is copied at the next start', async () => {
  await place.store.insert('turns', [
    { project_id: projectId, thread_id: 'cut', id: 'cut', started_at: '2026-01-01 00:57:00', is_retracted: 0 },
  ])
  expect(await countsWithin(56, 58)).toEqual({})
  await recoverDerived(place.store, summary)
  expect(await countsWithin(56, 58)).toEqual({ cut: 1 })
})
