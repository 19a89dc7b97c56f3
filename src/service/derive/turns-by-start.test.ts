import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallRow } from '../ingest/call-row'
import { sql } from '../store/sql'
import { recoverDerived } from './recover-derived'
import { CallWriterFixture } from '../testing/call-writer-fixture'

const projectId = 'windows/p'

let fixture: CallWriterFixture

beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})

afterAll(() => fixture.close())

const toStart = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00Z`

const turn = (id: string, threadId: string, minute: number): CallRow => ({
  project_id: projectId,
  id,
  turn_id: id,
  thread_id: threadId,
  started_at: toStart(minute),
})

async function write(...rows: CallRow[]): Promise<void> {
  await fixture.writer.write(rows)
}

/** How many turns each thread has that started between two minutes of the hour, both excluded. */
async function countTurnsBetween(after: number, before: number): Promise<Record<string, number>> {
  const window = { after_datetime: toStart(after), before_datetime: toStart(before) }
  const threads = await fixture.readThreads(projectId, window)
  return Object.fromEntries(threads.map((thread) => [thread.thread_id, thread.turn_count]))
}

test('a turn that gets an earlier start leaves the later window and enters the earlier one', async () => {
  await write(turn('a', 't', 30), turn('b', 't', 31))
  expect(await countTurnsBetween(20, 40)).toEqual({ t: 2 })
  await write(turn('a', 't', 10))
  expect(await countTurnsBetween(20, 40)).toEqual({ t: 1 })
  expect(await countTurnsBetween(5, 15)).toEqual({ t: 1 })
  // The first part, sent again, does not bring the later start back.
  await write(turn('a', 't', 30))
  expect(await countTurnsBetween(20, 40)).toEqual({ t: 1 })
  expect(await countTurnsBetween(0, 59)).toEqual({ t: 2 })
})

test('a turn that moves to another thread with an earlier start is counted once, in that thread and at that start', async () => {
  await write(turn('moved', 'm', 50))
  await write(turn('moved', 'n', 45))
  expect(await countTurnsBetween(49, 51)).toEqual({})
  expect(await countTurnsBetween(44, 46)).toEqual({ n: 1 })
  await write(turn('moved', 'm', 41))
  expect(await countTurnsBetween(40, 55)).toEqual({ n: 1 })
  expect(await countTurnsBetween(40, 42)).toEqual({ n: 1 })
})

test('the migration that added the table copies older turns to it, and they move in it like others', async () => {
  const before = await countTurnsBetween(0, 59)
  await fixture.store.command(sql`DROP TABLE turns_by_start`)
  await fixture.store.command(sql`ALTER TABLE turns DROP COLUMN started_ats`)
  await fixture.store.command(sql`ALTER TABLE migrations DELETE WHERE number = 6 SETTINGS mutations_sync = 1`)
  await fixture.restart()
  expect(before).toEqual({ t: 2, n: 1 })
  expect(await countTurnsBetween(0, 59)).toEqual(before)
  await write(turn('b', 't', 3))
  expect(await countTurnsBetween(30, 32)).toEqual({})
  expect(await countTurnsBetween(2, 4)).toEqual({ t: 1 })
})

test('a turn that was stored and not copied when the process ended is copied at the next start', async () => {
  await fixture.insertUnderived(turn('late', 'late', 57))
  await fixture.store.insert('turns', [
    { project_id: projectId, thread_id: 'late', id: 'late', started_at: '2026-01-01 00:57:00', is_retracted: 0 },
  ])
  expect(await countTurnsBetween(56, 58)).toEqual({})
  await recoverDerived(fixture.store, fixture.deriver)
  expect(await countTurnsBetween(56, 58)).toEqual({ late: 1 })
})
