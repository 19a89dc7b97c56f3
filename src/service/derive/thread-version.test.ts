import { array, constantFrom, integer, option, record } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { microsecondsToEngineTime } from '../store/engine-time'
import { sql } from '../store/sql'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { testProperty } from '../../testing/test-property'
import { aggregateThreads } from './derive-threads'

let place: Awaited<ReturnType<typeof openTemporaryStore>>
beforeAll(async () => {
  place = await openTemporaryStore()
})
afterAll(() => place.remove())

type Turn = { id: string; startedAt: number; endedAt: number | null; isRetracted: boolean }

const Row = z.object({ version: z.string(), figures: z.string() })

/** All rows of one thread, the newest last: those that were computed, and the one that a reader gets. */
async function readRows(projectId: string) {
  const columns = sql`toString(version) AS version, toString(tuple(* EXCEPT (version))) AS figures`
  const computed = await place.store.query(
    sql`SELECT ${columns} FROM threads WHERE project_id = ${projectId} ORDER BY threads.version`,
    Row,
  )
  const [read] = await place.store.query(sql`SELECT ${columns} FROM threads FINAL WHERE project_id = ${projectId}`, Row)
  return { computed, read }
}

function toRow(projectId: string, threadId: string, { id, startedAt, endedAt, isRetracted }: Turn) {
  return {
    project_id: projectId,
    thread_id: threadId,
    id,
    started_at: microsecondsToEngineTime(startedAt),
    ended_at: endedAt === null ? null : microsecondsToEngineTime(endedAt),
    is_retracted: isRetracted ? 1 : 0,
  }
}

let projectCount = 0
function openProject() {
  const projectId = `version/${(projectCount += 1)}`
  return {
    projectId,
    insertTurn: (each: Turn) => place.store.insert('turns', [toRow(projectId, 't', each)]),
    aggregate: () => place.store.command(aggregateThreads(sql`project_id = ${projectId}`)),
  }
}

const nowUs = 1_790_000_000_000_000

test('a row of a thread that was computed from fewer turns never replaces one that was computed from more', async () => {
  const { projectId, insertTurn, aggregate } = openProject()
  await insertTurn({ id: 'a', startedAt: nowUs, endedAt: nowUs + 5, isRetracted: false })
  await aggregate()
  const [outdated] = (await readRows(projectId)).computed
  await insertTurn({ id: 'b', startedAt: nowUs + 1, endedAt: null, isRetracted: false })
  await aggregate()
  const { read } = await readRows(projectId)
  // The outdated row again, as a slow statement would write it now.
  await place.store.command(
    sql`INSERT INTO threads SELECT * FROM threads WHERE project_id = ${projectId} ORDER BY version LIMIT 1`,
  )
  const after = await readRows(projectId)
  expect(after.computed.filter(({ figures }) => figures === outdated?.figures).length).toBeGreaterThanOrEqual(1)
  expect(after.read).toEqual(read)
  expect(read).not.toEqual(outdated)
})

// The smallest time that a request may have, a late one, and times close to each other.
const time = constantFrom(-2_208_988_800_000_000, -1, 0, nowUs, nowUs + 1, nowUs + 2, 8_900_000_000_000_000)
const turn = record({
  id: constantFrom('a', 'b', 'c'),
  startedAt: time,
  endedAt: option(time),
  isRetracted: integer({ min: 0, max: 4 }).map((value) => value === 0),
})
const State = z.object({ thread_id: z.string(), state: z.string(), version: z.string(), figures: z.string() })

testProperty(
  'the version of a thread grows with every row that changes its turns, and with no other row',
  array(turn, { minLength: 2, maxLength: 12 }),
  { runs: 30 },
  async (turns) => {
    const { projectId, aggregate } = openProject()
    // Thread 1 has the first row, thread 2 the first two, and so on: each is the next state of one thread.
    const rows = turns.flatMap((_, index) =>
      turns.slice(0, index + 1).map((each) => toRow(projectId, String(index).padStart(2, '0'), each)),
    )
    await place.store.insert('turns', rows)
    await aggregate()
    const states = await place.store.query(
      sql`SELECT thread_id, state, toString(version) AS version, toString(tuple(turn_count, start_time, last_updated, first_turn_id,
  last_turn_id, p50_turn_duration_ms, p99_turn_duration_ms)) AS figures
FROM (
  SELECT thread_id, toString(arraySort(groupArray((id, started_at, ended_at, is_retracted)))) AS state
  FROM turns FINAL WHERE project_id = ${projectId} GROUP BY thread_id
) AS states JOIN (SELECT * FROM threads FINAL WHERE project_id = ${projectId}) AS computed USING thread_id
ORDER BY thread_id`,
      State,
    )
    expect(states).toHaveLength(turns.length)
    for (const [index, { state, version, figures }] of states.entries()) {
      const before = states[index - 1]
      if (!before) continue
      if (state === before.state) expect([version, figures]).toEqual([before.version, before.figures])
      else expect(BigInt(version)).toBeGreaterThan(BigInt(before.version))
    }
  },
)

test('a thread of 300,000 turns has a version', async () => {
  await place.store.command(sql`INSERT INTO turns (project_id, thread_id, id, started_at, ended_at)
SELECT 'version/long', 't', toString(number), toDateTime64('1900-01-01', 6, 'UTC'), toDateTime64('2298-12-31', 6, 'UTC') FROM numbers(300000)`)
  await place.store.command(aggregateThreads(sql`project_id = 'version/long'`))
  const before = (await readRows('version/long')).read
  expect(BigInt(before?.version ?? 0)).toBeGreaterThan(300_000n * 10n ** 16n)
  await place.store.insert('turns', [
    { project_id: 'version/long', thread_id: 't', id: 'one more', started_at: '2298-12-31 00:00:00', is_retracted: 1 },
  ])
  await place.store.command(aggregateThreads(sql`project_id = 'version/long'`))
  expect(BigInt((await readRows('version/long')).read?.version ?? 0)).toBeGreaterThan(BigInt(before?.version ?? 0))
})

test('threads of a store of an older version, whose versions are times, are computed anew', async () => {
  const { projectId, insertTurn, aggregate } = openProject()
  await insertTurn({ id: 'a', startedAt: nowUs, endedAt: nowUs + 5, isRetracted: false })
  await aggregate()
  const before = (await readRows(projectId)).read
  await place.store.command(sql`DROP TABLE threads`)
  await place.store.command(sql`CREATE TABLE threads (project_id String, thread_id String, version UInt64)
ENGINE = ReplacingMergeTree(version) ORDER BY (project_id, thread_id)`)
  await place.store.command(sql`INSERT INTO threads SELECT ${projectId}, 't', 1790000000000000000`)
  await place.store.command(sql`ALTER TABLE migrations DELETE WHERE number = 8 SETTINGS mutations_sync = 1`)
  await place.reopen()
  expect((await readRows(projectId)).read).toEqual(before)
  await insertTurn({ id: 'b', startedAt: nowUs, endedAt: null, isRetracted: false })
  await aggregate()
  expect(BigInt((await readRows(projectId)).read?.version ?? 0)).toBeGreaterThan(BigInt(before?.version ?? 0))
})
