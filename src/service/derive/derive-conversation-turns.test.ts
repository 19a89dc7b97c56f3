import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { toCallLine, type CallRow } from '../ingest/call-row'
import { sql } from '../store/sql'
import type { Store } from '../store/store'
import { runDerivation } from './derivation'
import { deriveTurns } from './derive-turns'
import { conversationSpan, toSpanId } from './testing/conversation-span'
import { CallWriterFixture } from '../testing/call-writer-fixture'

let fixture: CallWriterFixture

beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})

afterAll(() => fixture.close())

async function write(...rows: CallRow[]): Promise<void> {
  await fixture.writer.write(rows)
}

test('a child that arrives first is a turn until its parent in the same thread replaces it', async () => {
  const projectId = 'child/first'
  await write(conversationSpan(projectId, 2, 1))
  expect(await fixture.readThreads(projectId)).toMatchObject([{ turn_count: 1, first_turn_id: toSpanId(2) }])
  await write(conversationSpan(projectId, 1, 0))
  expect(await fixture.readThreads(projectId)).toMatchObject([{ turn_count: 1, first_turn_id: toSpanId(1) }])
  await write(conversationSpan(projectId, 0, undefined, { thread_id: undefined, is_conversation: false }))
  expect(await fixture.readThreads(projectId)).toMatchObject([
    { turn_count: 1, first_turn_id: toSpanId(1), last_turn_id: toSpanId(1) },
  ])
})

test('a span that is its own turn and not of a conversation stays a turn below another span of its thread', async () => {
  const projectId = 'own/turn'
  await write(conversationSpan(projectId, 2, 1, { is_conversation: false, turn_id: toSpanId(2) }))
  await write(conversationSpan(projectId, 1, undefined))
  expect(await fixture.readThreads(projectId)).toMatchObject([
    { turn_count: 2, first_turn_id: toSpanId(1), last_turn_id: toSpanId(2) },
  ])
})

test('a span is no turn if another part gives it the turn id of another call, whichever part arrives first', async () => {
  const spans = (projectId: string) => [conversationSpan(projectId, 1, undefined), conversationSpan(projectId, 2, undefined)]
  const otherPart = (projectId: string): CallRow => ({ project_id: projectId, id: toSpanId(1), turn_id: toSpanId(5) })
  await write(...spans('other/last'))
  expect(await fixture.readThreads('other/last')).toMatchObject([{ turn_count: 2 }])
  await write(otherPart('other/last'))
  expect(await fixture.readThreads('other/last')).toMatchObject([{ turn_count: 1, first_turn_id: toSpanId(2) }])
  await write(otherPart('other/first'))
  await write(...spans('other/first'))
  expect(await fixture.readThreads('other/first')).toMatchObject([{ turn_count: 1, first_turn_id: toSpanId(2) }])
})

test('spans that were stored and not derived when the process ended are derived at the next start', async () => {
  const projectId = 'interrupted/p'
  await write(conversationSpan(projectId, 2, 1), conversationSpan(projectId, 3, 1))
  await fixture.insertUnderived(conversationSpan(projectId, 1, undefined))
  expect(await fixture.readThreads(projectId)).toMatchObject([{ turn_count: 2 }])
  await fixture.restart()
  expect(await fixture.readThreads(projectId)).toMatchObject([{ turn_count: 1, first_turn_id: toSpanId(1) }])
})

test('a parent retracts more child turns than one page holds', async () => {
  const projectId = 'many/children'
  const children = Array.from({ length: 12_345 }, (_, index) => conversationSpan(projectId, index + 1, 0))
  await write(...children)
  expect(await fixture.readThreads(projectId)).toMatchObject([{ turn_count: children.length }])
  await write(conversationSpan(projectId, 0, undefined))
  expect(await fixture.readThreads(projectId)).toMatchObject([{ turn_count: 1, first_turn_id: toSpanId(0) }])
})

const IdRow = z.object({ id: z.string() })

test('a parent that arrives while its child is being stored as a turn retracts it', async () => {
  const projectId = 'in/parallel'
  const turnIds = sql`SELECT id FROM turns FINAL WHERE project_id = ${projectId} AND is_retracted = 0`
  await fixture.store.insertLines('calls', Buffer.from(toCallLine(conversationSpan(projectId, 1, undefined))))
  await fixture.store.insertLines('calls', Buffer.from(toCallLine(conversationSpan(projectId, 2, 1))))
  // The parent is derived after the child has looked for it and before the child's turn is stored.
  const slow: Store = {
    ...fixture.store,
    insert: async (table, rows) => {
      if (table === 'turns' && rows.length > 0 && (await fixture.store.query(turnIds, IdRow)).length === 0) {
        await runDerivation(deriveTurns(fixture.store, [{ project_id: projectId, id: toSpanId(1) }]))
      }
      await fixture.store.insert(table, rows)
    },
  }
  await runDerivation(deriveTurns(slow, [{ project_id: projectId, id: toSpanId(2) }]))
  expect(await fixture.store.query(turnIds, IdRow)).toEqual([{ id: toSpanId(1) }])
})

test('spans below an existing turn are never stored as turns', async () => {
  const projectId = 'never/turns'
  await write(conversationSpan(projectId, 0, undefined))
  await fixture.readThreads(projectId)
  await write(...Array.from({ length: 50 }, (_, index) => conversationSpan(projectId, index + 1, index)))
  expect(await fixture.readThreads(projectId)).toMatchObject([{ turn_count: 1 }])
  const stored = await fixture.store.query(sql`SELECT DISTINCT id FROM turns WHERE project_id = ${projectId}`, IdRow)
  expect(stored).toEqual([{ id: toSpanId(0) }])
})

test('the same ids in another project are other spans', async () => {
  await write(conversationSpan('one/conversations', 1, 0), conversationSpan('two/conversations', 0, undefined))
  expect(await fixture.readThreads('one/conversations')).toMatchObject([{ turn_count: 1, first_turn_id: toSpanId(1) }])
  expect(await fixture.readThreads('two/conversations')).toMatchObject([{ turn_count: 1, first_turn_id: toSpanId(0) }])
})

test('a parent retracts its child beside a span of another project with the same id as the child', async () => {
  const [projectId, otherId] = ['own/child', 'other/child']
  await write(conversationSpan(projectId, 1, 0))
  expect(await fixture.readThreads(projectId)).toMatchObject([{ turn_count: 1, first_turn_id: toSpanId(1) }])
  const together = [conversationSpan(projectId, 0, undefined), conversationSpan(otherId, 1, undefined)]
  await fixture.store.insertLines('calls', Buffer.from(together.map(toCallLine).join('')))
  await runDerivation(deriveTurns(fixture.store, together))
  const statement = sql`SELECT project_id, id FROM turns FINAL
WHERE project_id IN ${[projectId, otherId]} AND is_retracted = 0 ORDER BY project_id`
  expect(await fixture.store.query(statement, z.object({ project_id: z.string(), id: z.string() }))).toEqual([
    { project_id: otherId, id: toSpanId(1) },
    { project_id: projectId, id: toSpanId(0) },
  ])
})
