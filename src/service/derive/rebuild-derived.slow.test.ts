import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { CallRow } from '../ingest/call-row'
import type { DerivedTable } from '../store/migrate'
import { renderSql, type Sql, sql } from '../store/sql'
import type { Store } from '../store/store'
import { StoreError } from '../store/store-error'
import { listQuarantined } from './quarantine'
import { rebuildDerived } from './rebuild-derived'
import { conversationSpan, toSpanId } from './testing/conversation-span'
import { CallWriterFixture } from '../testing/call-writer-fixture'

let fixture: CallWriterFixture

beforeAll(async () => {
  fixture = await CallWriterFixture.open()
  for (const projectId of ['one/p', 'two/p']) await writeHistory(projectId)
})

afterAll(() => fixture.close())

/** Turns that move, get an end later, or are replaced by a parent, derived after each step. */
async function writeHistory(projectId: string): Promise<void> {
  const turn = (id: string, threadId: string, second: number): CallRow => ({
    project_id: projectId,
    id,
    turn_id: id,
    thread_id: threadId,
    started_at: `2026-01-01T00:00:${second}Z`,
  })
  const steps: CallRow[][] = [
    [turn('a', 'a-thread', 30), turn('b', 'a-thread', 31), turn('c', 'c-thread', 32)],
    [{ project_id: projectId, id: 'a', ended_at: '2026-01-01T00:00:40Z' }],
    [turn('a', 'b-thread', 20)],
    [conversationSpan(projectId, 2, 1), conversationSpan(projectId, 3, 2), conversationSpan(projectId, 9, undefined)],
    [conversationSpan(projectId, 1, undefined)],
    [{ project_id: projectId, id: toSpanId(9), turn_id: toSpanId(1) }],
    [turn('d', 'b-thread', 21), conversationSpan(projectId, 5, 4)],
    [{ project_id: projectId, id: 'd', deleted_at: '2026-01-02T00:00:00Z' }],
    [{ project_id: projectId, id: toSpanId(5), deleted_at: '2026-01-02T00:00:00Z' }],
  ]
  for (const step of steps) {
    await fixture.writer.write(step)
    await fixture.readThreads(projectId)
  }
}

/** The others are only emptied: a TraceDeriver fills them in the background (spend-deriver.test.ts). */
type RebuiltTable = Exclude<DerivedTable, 'spent_calls' | 'spent_before' | 'thread_calls' | 'thread_words' | 'searched_before'>

/**
 * The rows of each table that are the same from whichever steps they were derived. A retracted row may be missing after a
 * rebuild, and so may an earlier value of a call in `call_starts`.
 */
const contents: Record<RebuiltTable, Sql> = {
  call_starts: sql`SELECT DISTINCT project_id, id, started_at FROM call_starts
  WHERE (project_id, id, started_at) IN (SELECT project_id, id, assumeNotNull(started_at) FROM calls FINAL)
    OR id NOT IN (SELECT id FROM calls) ORDER BY ALL`,
  deleted_calls: sql`SELECT * FROM deleted_calls FINAL ORDER BY ALL`,
  // A part that names no trace has a row of its own until a rebuild.
  trace_calls: sql`SELECT project_id, id, arraySort(groupUniqArrayIf(trace_id, trace_id != '')) AS trace_ids,
  max(parent_id), max(thread_id), max(turn_id), min(trace_calls.started_at), max(is_span), max(is_conversation),
  max(has_failed), max(is_deleted)
  FROM trace_calls GROUP BY project_id, id ORDER BY project_id, id`,
  thread_spans: sql`SELECT * REPLACE (arraySort(parent_ids) AS parent_ids, arraySort(thread_ids) AS thread_ids)
  FROM thread_spans FINAL ORDER BY ALL`,
  turns: sql`SELECT project_id, thread_id, id, started_at, ended_at FROM turns FINAL WHERE is_retracted = 0 ORDER BY ALL`,
  turns_by_start: sql`SELECT * FROM turns_by_start FINAL WHERE is_retracted = 0 ORDER BY ALL`,
  threads: sql`SELECT * EXCEPT version FROM threads FINAL WHERE turn_count > 0 ORDER BY ALL`,
}
const tables = Object.keys(contents) as RebuiltTable[] // Object.keys() forgets the type of the keys

async function readContents() {
  const Row = z.record(z.string(), z.unknown())
  const entries = tables.map(async (table) => [table, await fixture.store.query(contents[table], Row)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

test('tables that are rebuilt from the calls equal those that were derived step by step', async () => {
  const before = await readContents()
  for (const table of tables) expect(before[table]).not.toEqual([])
  await rebuildDerived(fixture.store, new Set(tables))
  expect(await readContents()).toEqual(before)
})

test.each(tables)('%s is rebuilt alone, without its outdated rows', async (table) => {
  const before = await readContents()
  const outdated = table === 'threads' ? { thread_id: 'x', turn_count: 1 } : { id: 'x' }
  await fixture.store.insert(table, [{ project_id: 'gone/p', ...outdated }])
  expect(await readContents()).not.toEqual(before)
  await rebuildDerived(fixture.store, new Set([table]))
  expect(await readContents()).toEqual(before)
})

/** A store in which no turns can be derived from the call 'c'. */
function poisonedStore(toError: () => Error): Store {
  return {
    ...fixture.store,
    query: async (statement, ...more) => {
      const { text, params } = renderSql(statement)
      const isDerivation = text.includes('all_thread_ids') && Object.values(params).flat().includes('c')
      if (isDerivation) throw toError()
      return fixture.store.query(statement, ...more)
    },
  }
}

test('a call that cannot be derived is set aside and logged; all others are derived', async () => {
  const before = await readContents()
  const logged: [object, string][] = []
  const log = (fields: object, message: string) => logged.push([fields, message])
  const store = poisonedStore(() => new StoreError('failed', 'a defect', { code: 49 }))
  await rebuildDerived(store, new Set(['turns']), { info: log, error: log })
  const { turns } = await readContents()
  const isPoisoned = (row: unknown) => (row as { id: string }).id === 'c' // rows of `turns`
  expect(turns).toEqual(before['turns']?.filter((row) => !isPoisoned(row)))
  expect(await listQuarantined(fixture.store)).toMatchObject({ count: 2, latest: [{ call_id: 'c' }, { call_id: 'c' }] })
  expect(logged.map(([, message]) => message)).toEqual([
    'derived tables are filled again from the calls, which may take minutes',
    'a call cannot be derived and is set aside',
    'a call cannot be derived and is set aside',
  ])
  await rebuildDerived(fixture.store, new Set(['turns']))
})

test('a rebuild of several tables is announced once', async () => {
  const messages: string[] = []
  const log = (_: object, message: string) => messages.push(message)
  await rebuildDerived(fixture.store, new Set(['turns_by_start', 'threads']), { info: log, error: log })
  expect(messages).toEqual(['derived tables are filled again from the calls, which may take minutes'])
})

test('a store that cannot derive anything ends the rebuild and sets nothing aside', async () => {
  const { count } = await listQuarantined(fixture.store)
  const store = poisonedStore(() => new StoreError('unavailable', 'the disk is full', { code: 243 }))
  await expect(rebuildDerived(store, new Set(['turns']))).rejects.toMatchObject({ code: 243 })
  expect(await listQuarantined(fixture.store)).toMatchObject({ count })
  await rebuildDerived(fixture.store, new Set(['turns']))
})
