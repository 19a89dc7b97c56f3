import { afterAll, beforeAll, expect, test } from 'vitest'
import { lineAt, toCallLines } from '../ingest/call-portion'
import { joinCallLines } from '../ingest/call-row'
import { sql } from '../store/sql'
import type { Store } from '../store/store'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { silentLogger } from '../testing/silent-logger'
import { querySpend } from './query-spend'
import { SpendDeriver } from './spend-deriver'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

const ids = ['a', 'b', 'c', 'd', 'e', 'f']

const toCall = (projectId: string, id: string) => ({
  project_id: projectId,
  id,
  trace_id: id.repeat(32),
  op_name: 'op',
  started_at: '2026-01-01T00:00:00Z',
  summary: { usage: { m: { prompt_tokens: 1 } } },
})

async function write(projectId: string, callIds: readonly string[]): Promise<void> {
  await fixture.writer.write(callIds.map((id) => toCall(projectId, id)))
}

/** Inserts parts when it is called. */
function lateInsert(projectId: string) {
  return async () => await write(projectId, ids)
}

/** The same for an insert that begins now and ends when it is called. */
function slowInsert(projectId: string) {
  const { insertedAt, end } = fixture.deriver.trackWrite(new Map([[projectId, ids]]))
  const lines = toCallLines(ids.map((id) => toCall(projectId, id)))
  return async () => {
    const parts = ids.map((_, index) => lineAt(lines, index))
    await fixture.store.insertLines('calls', await joinCallLines(parts, insertedAt))
    end()
  }
}

/** A store that does something before its statement of this number, counted from 1. */
function interrupt(number: number, act: () => Promise<void>) {
  let count = 0
  const countThis = async () => {
    count += 1
    if (count === number) await act()
  }
  const store: Store = {
    ...fixture.store,
    query: async (...query) => {
      await countThis()
      return await fixture.store.query(...query)
    },
    stream: async function* stream(...query) {
      await countThis()
      yield* fixture.store.stream(...query)
    },
  }
  return { store, hasActed: () => count >= number }
}

const onePage = { calls: 1000, callsOfBacklog: 1000 }
const pages = { calls: 2, callsOfBacklog: 1000 }
const ranges = { calls: 2, callsOfBacklog: 3 }

test.each([
  ['inserted during the update, pages', lateInsert, pages],
  ['inserted during the update, ranges', lateInsert, ranges],
  ['being inserted when it begins, one page', slowInsert, onePage],
  ['being inserted when it begins, pages', slowInsert, pages],
  ['being inserted when it begins, ranges', slowInsert, ranges],
])(
  'calls whose next parts are merged with them during an update are derived by it: %s',
  { timeout: 180_000 },
  async (kind, begin, pageSizes) => {
    for (let statement = 1; ; statement += 1) {
      const projectId = `${kind}/before-${statement}`
      for (const id of ids) await write(projectId, [id])
      const insert = begin(projectId)
      const { store, hasActed } = interrupt(statement, async () => {
        await insert()
        await fixture.store.command(sql`OPTIMIZE TABLE calls FINAL`)
      })
      await new SpendDeriver({ store, deriver: fixture.deriver, logger: silentLogger, pageSizes }).flush(projectId)
      const request = { project_id: projectId, limit: undefined, offset: undefined }
      const [all] = await querySpend(fixture.store, request, {})
      expect([statement, all?.prompt_tokens]).toEqual([statement, ids.length])
      if (hasActed()) continue
      await insert()
      break
    }
  },
)
