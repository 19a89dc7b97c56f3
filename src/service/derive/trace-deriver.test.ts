import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { isSql, sql } from '../store/sql'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { silentLogger } from '../testing/silent-logger'
import { TraceDeriver } from './trace-deriver'
import { deriveInGroups } from './trace-members'

const Anything = z.unknown()
const TraceRow = z.object({ trace_id: z.string() })

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

test('a long trace with calls in many pages is derived once by an update, and again by the next', async () => {
  const projectId = 'long/p'
  const derived: string[] = []
  const deriver = new TraceDeriver(
    { store: fixture.store, deriver: fixture.deriver, logger: silentLogger, pageSizes: { calls: 2, callsOfBacklog: 4 } },
    {
      what: 'tests',
      watermarkTable: 'spent_before',
      quarantineKind: 'trace',
      derive: async (store, _projectId, traceIds) => {
        const ids = isSql(traceIds) ? (await store.query(traceIds, TraceRow)).map((row) => row.trace_id) : traceIds
        derived.push(...ids)
        return ids.filter((id) => id === 'long')
      },
    },
  )
  const write = async (id: string, traceId: string) => {
    await fixture.writer.write([
      { project_id: projectId, id, trace_id: traceId, op_name: 'op', started_at: '2026-01-01T00:00:00Z' },
    ])
  }
  for (const turn of ['a', 'b', 'c', 'd', 'e']) {
    await write(`${turn}1`, 'long')
    await write(`${turn}2`, `short ${turn}`)
  }
  await deriver.flush(projectId)
  expect([...new Set(derived)].toSorted()).toEqual(['long', 'short a', 'short b', 'short c', 'short d', 'short e'])
  expect(derived.filter((id) => id === 'long')).toHaveLength(1)
  await write('f', 'long')
  await deriver.flush(projectId)
  expect(derived.filter((id) => id === 'long')).toHaveLength(2)
})

test('traces with very many calls are derived in groups, also those of a SELECT, and are named; of few calls only long traces are', async () => {
  const traces = 12
  await fixture.store.command(sql`INSERT INTO trace_calls (project_id, trace_id, id)
SELECT 'many/p', concat('t', toString(number % 12)), toString(number) FROM numbers(240000)`)
  const groups: { ids: string[]; calls: number }[] = []
  const derive = deriveInGroups(50_000, async (_store, _projectId, group) => {
    groups.push({
      ids: group.traces.map(({ trace_id: id }) => id),
      calls: group.traces.reduce((sum, trace) => sum + trace.ids.length, 0),
    })
  })
  const all = Array.from({ length: traces }, (_, index) => `t${index}`).toSorted()
  const ofSelect = sql`SELECT DISTINCT trace_id FROM trace_calls WHERE project_id = 'many/p'`
  for (const traceIds of [ofSelect, all]) {
    groups.length = 0
    const named = await derive(fixture.store, 'many/p', traceIds, {})
    expect(named.toSorted()).toEqual(all)
    expect(groups.flatMap(({ ids }) => ids).toSorted()).toEqual(all)
    expect(Math.max(...groups.map(({ calls }) => calls))).toBeLessThan(80_000)
  }
  await fixture.store.command(sql`INSERT INTO trace_calls (project_id, trace_id, id)
SELECT 'many/p', 'short', toString(number) FROM numbers(100)`)
  expect(await derive(fixture.store, 'many/p', ['short', 't1'], {})).toEqual(['t1'])
  const ofFew = sql`SELECT DISTINCT trace_id FROM trace_calls WHERE project_id = 'many/p' AND trace_id IN ('short', 't1')`
  expect(await derive(fixture.store, 'many/p', ofFew, {})).toEqual(['t1'])
})

test('a reader does not wait for an update of the background: it is stopped, and the update of the reader does its work', async () => {
  const projectId = 'busy/p'
  const derivedIn: unknown[] = []
  const errors: unknown[] = []
  const deriver = new TraceDeriver(
    {
      store: fixture.store,
      deriver: fixture.deriver,
      logger: Object.assign(Object.create(silentLogger), { error: (...args: unknown[]) => errors.push(args) }),
    },
    {
      what: 'tests',
      watermarkTable: 'spent_before',
      quarantineKind: 'trace',
      derive: async (store, ownProject, _traceIds, options) => {
        if (ownProject !== projectId) return []
        derivedIn.push(options.lane)
        // A statement that takes longer than a test.
        if (options.lane === 'scan')
          await store.query(sql`SELECT sleepEachRow(1) FROM numbers(60) SETTINGS max_block_size = 1`, Anything, options)
        return []
      },
    },
  )
  await fixture.writer.write([
    { project_id: projectId, id: 'a', trace_id: 'a', op_name: 'op', started_at: '2026-01-01T00:00:00Z' },
  ])
  deriver.start()
  await expect.poll(() => derivedIn).toEqual(['scan'])
  await deriver.flush(projectId)
  expect(derivedIn).toEqual(['scan', 'read'])
  await deriver.close()
  expect(errors).toEqual([])
})
