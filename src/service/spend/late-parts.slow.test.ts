import { afterAll, beforeAll, expect, test } from 'vitest'
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

async function write(projectId: string, callIds: readonly string[]): Promise<void> {
  const call = (id: string) => ({
    project_id: projectId,
    id,
    trace_id: id.repeat(32),
    op_name: 'op',
    started_at: '2026-01-01T00:00:00Z',
    summary: { usage: { m: { prompt_tokens: 1 } } },
  })
  await fixture.writer.write(callIds.map(call))
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

test.each([
  ['pages', { calls: 2, callsOfBacklog: 1000 }],
  ['ranges', { calls: 2, callsOfBacklog: 3 }],
])(
  'calls whose next parts come during an update, and are merged with them, are derived by it: %s',
  { timeout: 180_000 },
  async (kind, pageSizes) => {
    for (let statement = 1; ; statement += 1) {
      const projectId = `${kind}/before-${statement}`
      for (const id of ids) await write(projectId, [id])
      const { store, hasActed } = interrupt(statement, async () => {
        await write(projectId, ids)
        await fixture.store.command(sql`OPTIMIZE TABLE calls FINAL`)
      })
      await new SpendDeriver({ store, deriver: fixture.deriver, logger: silentLogger, pageSizes }).flush(projectId)
      const request = { project_id: projectId, limit: undefined, offset: undefined }
      const [all] = await querySpend(fixture.store, request, {})
      expect([statement, all?.prompt_tokens]).toEqual([statement, ids.length])
      if (!hasActed()) break
    }
  },
)
