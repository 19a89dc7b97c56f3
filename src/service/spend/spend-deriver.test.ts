import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { createLogger } from '../create-logger'
import { rebuildDerived } from '../derive/rebuild-derived'
import { listQuarantined } from '../derive/quarantine'
import { type CallRow, joinCallLines, toCallLine } from '../ingest/call-row'
import { renderSql, sql } from '../store/sql'
import type { Store } from '../store/store'
import { closedError, StoreError } from '../store/store-error'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { silentLogger } from '../testing/silent-logger'
import { querySpend } from './query-spend'
import { SpendDeriver } from './spend-deriver'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

const openSpends = (store: Store = fixture.store) => new SpendDeriver({ store, deriver: fixture.deriver, logger: silentLogger })

async function readTokens(projectId: string, spends: SpendDeriver): Promise<number> {
  await spends.flush(projectId)
  const request = { project_id: projectId, limit: undefined, offset: undefined }
  const [all] = await querySpend(fixture.store, request, {})
  return all?.prompt_tokens ?? 0
}

const call = (projectId: string, id: string, prompt: number, more: Partial<CallRow> = {}): CallRow => ({
  project_id: projectId,
  id,
  trace_id: id.repeat(32).slice(0, 32),
  op_name: 'op',
  started_at: '2026-01-01T00:00:00Z',
  summary: { usage: { m: { prompt_tokens: prompt } } },
  ...more,
})

test('what was written before a flush is derived after it', async () => {
  const spends = openSpends()
  await fixture.writer.write([call('deriver/p', 'a', 10)])
  expect(await readTokens('deriver/p', spends)).toBe(10)
  await fixture.writer.write([call('deriver/p', 'b', 5), call('deriver/p', 'c', 3, { trace_id: 'a'.repeat(32), parent_id: 'a' })])
  expect(await Promise.all([readTokens('deriver/p', spends), readTokens('deriver/p', spends)])).toEqual([15, 15])
})

test('a reader after whom nothing was written asks the store nothing, and one after a write does', async () => {
  let statements = 0
  const counted: Store = {
    ...fixture.store,
    query: async (...query) => {
      statements += 1
      return await fixture.store.query(...query)
    },
  }
  const spends = openSpends(counted)
  await fixture.writer.write([call('deriver/quiet', 'a', 1)])
  await spends.flush('deriver/quiet')
  const asked = statements
  await fixture.writer.write([call('deriver/other', 'a', 1)])
  await spends.flush('deriver/quiet')
  expect(statements).toBe(asked)
  await fixture.writer.write([call('deriver/quiet', 'b', 1)])
  await spends.flush('deriver/quiet')
  expect(statements).toBeGreaterThan(asked)
})

test('a call is found while an older insert is still running, and the calls of that insert after it', async () => {
  const spends = openSpends()
  expect(await readTokens('deriver/beside', spends)).toBe(0)
  const slow = fixture.deriver.trackWrite(new Map([['deriver/beside', ['slow']]]))
  await fixture.writer.write([call('deriver/beside', 'fast', 3)])
  expect(await readTokens('deriver/beside', spends)).toBe(3)
  const row = call('deriver/beside', 'c', 4)
  await fixture.store.insertLines('calls', await joinCallLines([Buffer.from(toCallLine(row))], slow.insertedAt))
  slow.end()
  expect(await readTokens('deriver/beside', spends)).toBe(7)
})

test('calls that a killed process left are derived by the next one', async () => {
  expect(await readTokens('deriver/killed', openSpends())).toBe(0)
  await fixture.insertUnderived(call('deriver/killed', 'a', 7))
  await fixture.restart()
  expect(await readTokens('deriver/killed', openSpends())).toBe(7)
})

test('calls that a killed process left without their rows in trace_calls are derived by the next one, also more than a page that came at once', async () => {
  const projectId = 'deriver/half-written'
  expect(await readTokens(projectId, openSpends())).toBe(0)
  const calls = ['a', 'b', 'c', 'd', 'e'].map((id, index) => call(projectId, id, 10 ** index))
  await fixture.insertUnderived(...calls)
  await fixture.store.command(sql`ALTER TABLE trace_calls DELETE WHERE project_id = ${projectId}`)
  const readRows = async () =>
    await fixture.store.query(sql`SELECT id FROM trace_calls WHERE project_id = ${projectId}`, z.object({ id: z.string() }))
  await expect.poll(readRows).toEqual([])
  await fixture.restart({ recover: false })
  const spends = new SpendDeriver({
    store: fixture.store,
    deriver: fixture.deriver,
    logger: silentLogger,
    pageSizes: { calls: 2, callsOfBacklog: 1000 },
  })
  expect(await readTokens(projectId, spends)).toBe(11_111)
})

test('the background derives all projects, and a rebuild derives all again', async () => {
  await fixture.writer.write([call('deriver/one', 'a', 1), call('deriver/two', 'b', 2)])
  const spends = openSpends()
  spends.start()
  const request = (project_id: string) => ({ project_id, limit: undefined, offset: undefined })
  const read = async (projectId: string) => (await querySpend(fixture.store, request(projectId), {}))[0]?.prompt_tokens
  await expect.poll(() => read('deriver/two')).toBe(2)
  await spends.close()
  await rebuildDerived(fixture.store, new Set(['trace_calls', 'spent_calls', 'spent_before']))
  expect(await read('deriver/one')).toBeUndefined()
  expect(await readTokens('deriver/one', openSpends())).toBe(1)
})

test('what older versions may have left out is derived in the background, while readers see what there is', async () => {
  const ids = ['a', 'b', 'c', 'd', 'e']
  await fixture.insertUnderived(...ids.map((id) => call('deriver/left', id, 6)))
  await fixture.store.insert('spent_before', [{ name: '', watermark: Date.now() * 1000 + 1000 }])
  await fixture.restart({ recover: false })
  expect(await readTokens('deriver/left', openSpends())).toBe(0)
  await fixture.store.command(sql`ALTER TABLE migrations DELETE WHERE number = 29 SETTINGS mutations_sync = 1`)
  await fixture.restart({ recover: false })
  const spends = openSpends()
  expect(await readTokens('deriver/left', spends)).toBe(0)
  const readPasses = () =>
    fixture.store.query(
      sql`SELECT watermark < until AS is_open FROM second_passes FINAL
WHERE watermark_table = 'spent_before' AND project_id = 'deriver/left'`,
      z.object({ is_open: z.number() }),
    )
  expect(await readPasses()).toEqual([{ is_open: 1 }])
  spends.start()
  await expect.poll(readPasses).toEqual([{ is_open: 0 }])
  expect(await readTokens('deriver/left', spends)).toBe(30)
  await spends.close()
})

test('processes that share a store derive calls before they are acknowledged', async () => {
  await fixture.writer.write([call('deriver/shared', 'a', 4)])
  await openSpends().deriveCalls(new Map([['deriver/shared', ['a']]]))
  const request = { project_id: 'deriver/shared', limit: undefined, offset: undefined }
  expect((await querySpend(fixture.store, request, {}))[0]?.prompt_tokens).toBe(4)
})

test('a trace that cannot be derived is set aside, all others are derived, and it is released when it can be', async () => {
  const projectId = 'deriver/poisoned'
  const failing: Store = {
    ...fixture.store,
    stream: (statement, ...more) => {
      const { text, params } = renderSql(statement)
      const isPoisoned = text.includes('part_count') && Object.values(params).flat().includes('c'.repeat(32))
      if (isPoisoned) throw new StoreError('failed', 'a defect', { code: 49 })
      return fixture.store.stream(statement, ...more)
    },
  }
  await fixture.writer.write([call(projectId, 'a', 1), call(projectId, 'c', 100), call(projectId, 'd', 2)])
  expect(await readTokens(projectId, openSpends(failing))).toBe(3)
  expect(await listQuarantined(fixture.store)).toMatchObject({ count: 1 })
  await fixture.writer.write([call(projectId, 'c', 100)])
  const next = openSpends()
  next.start()
  await expect.poll(async () => (await listQuarantined(fixture.store)).count).toBe(0)
  await next.close()
  expect(await readTokens(projectId, next)).toBe(103)
})

test('a trace that cannot be derived is found among many that are behind', async () => {
  const projectId = 'deriver/backlog'
  const ids = ['a', 'b', 'c', 'd', 'e', 'f']
  const statements: string[] = []
  let isFailing = true
  const failing: Store = {
    ...fixture.store,
    stream: (statement, ...more) => {
      const { text, params } = renderSql(statement)
      const isOfRange = text.includes('inserted_at <=')
      if (text.includes('part_count')) statements.push(isOfRange ? 'many' : 'few')
      const isPoisoned = isOfRange || Object.values(params).flat().includes('c'.repeat(32))
      if (isFailing && text.includes('part_count') && isPoisoned) throw new StoreError('failed', 'a defect', { code: 49 })
      return fixture.store.stream(statement, ...more)
    },
  }
  const open = () =>
    new SpendDeriver({
      store: failing,
      deriver: fixture.deriver,
      logger: silentLogger,
      pageSizes: { calls: 2, callsOfBacklog: 3 },
    })
  const writeAll = async () => {
    for (const [index, id] of ids.entries()) await fixture.writer.write([call(projectId, id, 10 ** index)])
  }
  await writeAll()
  const spends = open()
  expect(await readTokens(projectId, spends)).toBe(111_011)
  expect(statements.filter((each) => each === 'many')).toHaveLength(1)
  isFailing = false
  await writeAll()
  expect(await readTokens(projectId, spends)).toBe(111_111)
  expect(await listQuarantined(fixture.store)).toMatchObject({ count: 0 })
  statements.length = 0
  await writeAll()
  expect(await readTokens(projectId, spends)).toBe(111_111)
  expect(statements).toContain('many')
})

test('what a reader waits for counts to the reader, who may leave', async () => {
  const shares = new Set<string | undefined>()
  let isHanging = false
  const watched: Store = {
    ...fixture.store,
    query: async (statement, row, options) => {
      if (renderSql(statement).text.includes('inserted_at_us')) shares.add(options?.share?.user)
      if (isHanging) await new Promise(() => {})
      return await fixture.store.query(statement, row, options)
    },
  }
  await fixture.writer.write([call('deriver/reader', 'a', 1)])
  const spends = openSpends(watched)
  await spends.flush('deriver/reader', { share: { user: 'kim', projectId: 'deriver/reader' } })
  expect([...shares]).toEqual(['kim'])
  await fixture.writer.write([call('deriver/reader', 'b', 1)])
  isHanging = true
  await expect(spends.flush('deriver/reader', { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ kind: 'aborted' })
})

test('who waits for the same as a user with too many requests is not refused for it', async () => {
  const crowded: Store = {
    ...fixture.store,
    query: async (statement, row, options) => {
      if (options?.share?.user === 'crowd') throw new StoreError('overloaded', 'Too many statements of this user are waiting.')
      return await fixture.store.query(statement, row, options)
    },
  }
  await fixture.writer.write([call('deriver/crowded', 'a', 2)])
  const spends = openSpends(crowded)
  const flush = (user: string) => spends.flush('deriver/crowded', { share: { user, projectId: 'deriver/crowded' } })
  const results = await Promise.allSettled([flush('crowd'), flush('crowd'), flush('kim')])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  expect(await readTokens('deriver/crowded', spends)).toBe(2)
})

test('where the store fails, readers are told, and the next flush goes on', async () => {
  let isFailing = true
  const failing: Store = {
    ...fixture.store,
    insert: async (table, ...more) => {
      if (isFailing && table === 'spent_calls') throw new StoreError('unavailable', 'the disk is full', { code: 243 })
      await fixture.store.insert(table, ...more)
    },
  }
  await fixture.writer.write([call('deriver/full', 'a', 9)])
  const spends = openSpends(failing)
  await expect(spends.flush('deriver/full')).rejects.toMatchObject({ code: 243 })
  isFailing = false
  expect(await readTokens('deriver/full', spends)).toBe(9)
})

test('the end of the store is no news, and another failure is', async () => {
  const entries: string[] = []
  const logger = createLogger({ level: 'error', isTerminal: false, destination: { write: (line) => entries.push(line) } })
  for (const error of [closedError(), new StoreError('unavailable', 'no space left')]) {
    const attempts = vi.fn(async () => {
      throw error
    })
    const spends = new SpendDeriver({ store: { ...fixture.store, query: attempts }, deriver: fixture.deriver, logger })
    spends.start()
    await expect.poll(() => attempts.mock.calls.length).toBeGreaterThan(0)
    await new Promise((done) => setTimeout(done, 50))
    await spends.close()
  }
  expect(entries).toHaveLength(1)
  expect(entries[0]).toContain('no space left')
})
