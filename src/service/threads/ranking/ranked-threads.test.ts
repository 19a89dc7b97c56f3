import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatInstant } from '../../../contract/instant'
import { type Thread, threadSortFields } from '../../../contract/threads'
import { testProperty } from '../../../testing/test-property'
import type { CallRow } from '../../ingest/call-row'
import { renderSql } from '../../store/sql'
import type { Store } from '../../store/store'
import { CallWriterFixture } from '../../testing/call-writer-fixture'
import { listThreads } from '../list-threads'
import { RankedThreads } from './ranked-threads'
import type { ThreadOrder } from './thread-order'

const threadIds = ['a', 'B', 'b', 'Z', 'ä', 'é', 'z', 'ß', '東京', '\uffff', '😀', '10', '9', ' ', "'", '\\', 'a\0b', 'a\n']
const startMicroseconds = 1_790_000_000_000_000n
const maxRanked = 8

let fixture: CallWriterFixture
let ranked: RankedThreads
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
  ranked = new RankedThreads(fixture.store, { minThreads: 0, maxRanked })
  fixture.deriver.watchThreads((projectId, threadId) => ranked.note(projectId, threadId))
})
afterAll(() => fixture.close())

type Page = { sort_by: ThreadOrder[]; offset: number; limit: number }

async function listAll(project_id: string, { sort_by, offset, limit }: Page): Promise<Thread[]> {
  const rows: Thread[] = []
  for await (const batch of listThreads(fixture.store, { project_id, sort_by, offset, limit })) rows.push(...batch)
  return rows
}

/** A turn whose thread, start and duration are few, so that threads tie, change places, and move to other threads. */
const change = fc.record({
  turn: fc.nat(40),
  thread: fc.nat(threadIds.length - 1),
  second: fc.nat(5),
  durationUs: fc.option(fc.constantFrom(0, 250_000, 1_000_001)),
  isDeleted: fc.boolean(),
})
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

function toRow(projectId: string, { turn, thread, second, durationUs, isDeleted }: Change): CallRow {
  const id = `turn-${String(turn).padStart(2, '0')}`
  const start = startMicroseconds + BigInt(second) * 1_000_000n
  return {
    project_id: projectId,
    id,
    turn_id: id,
    thread_id: threadIds[thread],
    started_at: formatInstant(start),
    ...(durationUs !== null && { ended_at: formatInstant(start + BigInt(durationUs)) }),
    ...(isDeleted && turn % 5 === 0 && { deleted_at: formatInstant(start) }),
  }
}

const order = fc.record({
  field: fc.constantFrom(...threadSortFields),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
})
const page = fc.record({ sort_by: fc.tuple(order), offset: fc.nat(4), limit: fc.integer({ min: 1, max: 4 }) })
const rounds = fc.array(
  fc.record({ changes: fc.array(change, { maxLength: 12 }), pages: fc.array(page, { minLength: 1, maxLength: 4 }) }),
  {
    minLength: 2,
    maxLength: 6,
  },
)

let projects = 0
let ranks = 0
testProperty(
  'a page from memory is the page of all threads, whatever changes between two pages',
  rounds,
  { runs: 12 },
  async (eachRound) => {
    projects += 1
    const projectId = `ranked/p${projects}`
    for (const { changes, pages } of eachRound) {
      const rows = changes.map((each) => toRow(projectId, each))
      // Read while turns are derived: whatever that gives, it must not stay.
      const early = pages.map(async (each) => ranked.read({ project_id: projectId, ...each }, {}))
      await Promise.all([fixture.writer.write(rows), ...early])
      await fixture.deriver.flush(projectId)
      for (const each of pages) {
        const rowsOfPage = await ranked.read({ project_id: projectId, ...each }, {})
        if (rowsOfPage === undefined) continue
        ranks += 1
        expect(rowsOfPage).toEqual(await listAll(projectId, each))
      }
    }
  },
)

test('nearly all of those pages came from memory', () => {
  expect(ranks).toBeGreaterThan(50)
})

/** The store of the fixture, with a note of what is asked of it. */
function watchStatements() {
  const statements: string[] = []
  const { store } = fixture
  const query: Store['query'] = (statement, row, options) => {
    statements.push(renderSql(statement).text)
    return store.query(statement, row, options)
  }
  return { statements, store: { ...store, query } satisfies Store }
}

async function writeThreads(projectId: string, count: number, from = 0): Promise<void> {
  const rows = Array.from({ length: count }, (_, index): CallRow => {
    const id = `turn-${from + index}`
    const start = startMicroseconds + BigInt(from + index) * 1_000_000n
    const [started_at, ended_at] = [start, start + 1000n].map(formatInstant)
    return { project_id: projectId, id, turn_id: id, thread_id: `thread-${from + index}`, started_at, ended_at }
  })
  await fixture.writer.write(rows)
  await fixture.deriver.flush(projectId)
}

test('the second page in an order begins a ranking, and later ones read their own threads and those that changed', async () => {
  const { store, statements } = watchStatements()
  const watched = new RankedThreads(store, { minThreads: 10, maxRanked: 20 })
  fixture.deriver.watchThreads((projectId, threadId) => watched.note(projectId, threadId))
  await writeThreads('ranked/large', 30)
  const input = { project_id: 'ranked/large', offset: 0, limit: 3 }
  const readIds = async (offset: number) => (await watched.read({ ...input, offset }, {}))?.map(({ thread_id: id }) => id)
  const sortsAll = (text: string) => text.includes('threads FINAL') && text.includes('ORDER BY')
  expect(await readIds(0)).toEqual(['thread-29', 'thread-28', 'thread-27'])
  expect(statements.filter(sortsAll)).toHaveLength(0)
  expect(await readIds(3)).toEqual(['thread-26', 'thread-25', 'thread-24'])
  expect(statements.filter(sortsAll)).toHaveLength(1)
  const countStatements = async () => {
    statements.length = 0
    await readIds(6)
    return statements.length
  }
  await expect.poll(countStatements).toBe(1)
  statements.length = 0
  await writeThreads('ranked/large', 1, 30)
  expect((await readIds(0))?.[0]).toBe('thread-30')
  expect(statements.map((text) => text.includes('thread_id IN'))).toEqual([true, true])
})

test('a store of several processes has no rankings', async () => {
  const { store, statements } = watchStatements()
  const shared = new RankedThreads({ ...store, isShared: true }, { minThreads: 10, maxRanked: 20 })
  await writeThreads('ranked/shared', 30)
  for (let round = 0; round < 3; round += 1) {
    const rows = await shared.read({ project_id: 'ranked/shared', offset: 1, limit: 2 }, {})
    expect(rows?.map(({ thread_id: id }) => id)).toEqual(['thread-28', 'thread-27'])
  }
  expect(statements.filter((text) => text.includes('threads FINAL') && !text.includes('thread_id IN'))).toEqual([])
})

test('small projects, filters and long pages are left to the statement', async () => {
  const ofTen = new RankedThreads(fixture.store, { minThreads: 10, maxRanked: 20 })
  await writeThreads('ranked/small', 5)
  await writeThreads('ranked/more', 12)
  const input = { project_id: 'ranked/more', offset: 0, limit: 3 }
  expect(await ofTen.read(input, {})).toHaveLength(3)
  expect(await ofTen.read({ ...input, project_id: 'ranked/small' }, {})).toBeUndefined()
  expect(await ofTen.read({ ...input, filter: { thread_ids: ['a'] } }, {})).toBeUndefined()
  expect(await ofTen.read({ ...input, filter: { after_datetime: '2020-01-01T00:00:00Z' } }, {})).toBeUndefined()
  expect(await ofTen.read({ ...input, offset: 19 }, {})).toBeUndefined()
  expect(await ofTen.read({ project_id: 'ranked/more' }, {})).toBeUndefined()
})
