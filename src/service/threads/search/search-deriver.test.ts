import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { CallRow } from '../../ingest/call-row'
import { renderSql, sql } from '../../store/sql'
import type { Store } from '../../store/store'
import { StoreError } from '../../store/store-error'
import { CallWriterFixture } from '../../testing/call-writer-fixture'
import { silentLogger } from '../../testing/silent-logger'
import { SearchDeriver } from './search-deriver'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

const openSearches = (store: Store = fixture.store) =>
  new SearchDeriver({ store, deriver: fixture.deriver, logger: silentLogger })

const Rows = z.array(z.tuple([z.string()], z.string()))
/** The ids of the calls in a parameter that is a list of rows as JSON. */
function toIds(param: unknown): string[] {
  if (typeof param !== 'string' || !param.startsWith('[[')) return []
  return z.parse(Rows, JSON.parse(param)).map(([id]) => id)
}

/** The store, and the ids of the calls whose words each statement found. */
function watchWords(beforeCommand: (ids: readonly string[]) => void = () => {}) {
  const found: string[][] = []
  const store: Store = {
    ...fixture.store,
    command: async (statement, options) => {
      const { text, params } = renderSql(statement)
      const ids = text.startsWith('INSERT INTO thread_calls') ? Object.values(params).flatMap(toIds) : []
      if (ids.length > 0) beforeCommand(ids)
      await fixture.store.command(statement, options)
      if (ids.length > 0) found.push(ids.toSorted())
    },
  }
  return { store, found }
}

const call = (projectId: string, id: string, more: Partial<CallRow> = {}): CallRow => ({
  project_id: projectId,
  id,
  trace_id: 't'.repeat(32),
  op_name: 'op',
  started_at: '2026-01-01T00:00:00Z',
  inputs: { text: `hello ${id}` },
  ...more,
})
const turn = (projectId: string, id: string, more: Partial<CallRow> = {}) =>
  call(projectId, id, { thread_id: 'x', turn_id: id, ...more })

const Row = z.object({ id: z.string(), words: z.array(z.string()) })
const readRows = async (projectId: string) =>
  fixture.store.query(
    sql`SELECT id, words FROM thread_calls FINAL WHERE project_id = ${projectId} AND is_counted = 1 ORDER BY id`,
    Row,
  )

test('words are found for calls of threads alone, and only again where a call has changed', async () => {
  const projectId = 'searches/p'
  const { store, found } = watchWords()
  const searches = openSearches(store)
  await fixture.writer.write([
    turn(projectId, 'a'),
    call(projectId, 'b', { parent_id: 'a' }),
    call(projectId, 'c', { trace_id: 'u'.repeat(32) }),
  ])
  await searches.flush(projectId)
  expect(await readRows(projectId)).toEqual([
    { id: 'a', words: ['a', 'hello', 'text'] },
    { id: 'b', words: ['b', 'hello', 'text'] },
  ])
  await fixture.writer.write([{ project_id: projectId, id: 'b', output: 'done' }])
  await searches.flush(projectId)
  expect(found).toEqual([['a', 'b'], ['b']])
  expect((await readRows(projectId))[1]).toEqual({ id: 'b', words: ['b', 'done', 'hello', 'text'] })
})

test('among many calls, to look up what is stored takes less work than to find their words', async () => {
  const projectId = 'searches/many'
  const cpuMs = { lookUp: 0, words: 0 }
  const addTo = (name: keyof typeof cpuMs) => {
    const before = process.cpuUsage()
    return () => {
      const { user, system } = process.cpuUsage(before)
      cpuMs[name] += (user + system) / 1000
    }
  }
  await fixture.store.command(sql`INSERT INTO thread_calls (project_id, started_at, id, is_counted, version)
SELECT ${projectId}, toDateTime64('2026-01-01 00:00:00', 6, 'UTC') + toIntervalMicrosecond(number), hex(number), 0, 0 FROM numbers(200000)`)
  // A merge beside it would count as work of the statements.
  await fixture.store.command(sql`OPTIMIZE TABLE thread_calls FINAL`)
  const { store: watched, found } = watchWords()
  const store: Store = {
    ...watched,
    async *stream(statement, row, options) {
      const end = renderSql(statement).text.includes('FROM thread_calls FINAL') ? addTo('lookUp') : () => {}
      yield* fixture.store.stream(statement, row, options)
      end()
    },
    command: async (statement, options) => {
      const end = addTo('words')
      await watched.command(statement, options)
      end()
    },
  }
  const searches = openSearches(store)
  const least = { lookUp: Infinity, words: Infinity }
  // The least of three rounds, because whatever else the process does counts too.
  for (const round of [1, 2, 3]) {
    Object.assign(cpuMs, { lookUp: 0, words: 0 })
    found.length = 0
    const ids = Array.from({ length: 1000 }, (_, index) => (round * 10_000 + index).toString(16).padStart(16, '0'))
    const started = (id: string, index: number) => ({
      trace_id: id + id,
      started_at: `2026-01-01T00:00:0${round}.${String(index * 100 + 7).padStart(6, '0')}Z`,
    })
    await fixture.writer.write(ids.map((id, index) => turn(projectId, id, started(id, index))))
    await searches.flush(projectId)
    expect(found.flat().toSorted()).toEqual(ids)
    // Told again: its start has microseconds, and finds the row.
    await fixture.writer.write([call(projectId, `other-${round}`, started(ids[1] ?? '', 0))])
    await searches.flush(projectId)
    expect(found.flat().toSorted()).toEqual(ids)
    least.lookUp = Math.min(least.lookUp, cpuMs.lookUp)
    least.words = Math.min(least.words, cpuMs.words)
  }
  expect(least.lookUp).toBeLessThan(least.words)
})

test('calls whose words take too much memory together are done one by one', async () => {
  const projectId = 'searches/large'
  const { store, found } = watchWords((ids) => {
    if (ids.length > 1) throw new StoreError('too_much_memory', 'too large', { code: 241 })
  })
  await fixture.writer.write([turn(projectId, 'a'), turn(projectId, 'b'), turn(projectId, 'c')])
  await openSearches(store).flush(projectId)
  expect(found.flat().toSorted()).toEqual(['a', 'b', 'c'])
  expect(await readRows(projectId)).toHaveLength(3)
})

test('the ids, op and user of a call may have any characters, and many calls may have long ones', async () => {
  const projectId = 'searches/characters'
  const odd = `'"\\\t\n\0{}[],?{p0:String} Ö 🧵`
  const rows = Array.from({ length: 700 }, (_, index) => ({
    id: `${odd}${index}`,
    thread_id: `${odd.repeat(5)}${index}`,
    op_name: `${odd.repeat(3)}${index % 3}`,
    user_id: `${odd}${index % 5}`,
  }))
  const calls = rows.map(({ id, user_id, ...names }) => turn(projectId, id, { ...names, trace_id: id, attributes: { user_id } }))
  await fixture.writer.write(calls)
  await openSearches().flush(projectId)
  const stored = await fixture.store.query(
    sql`SELECT id, thread_id, op_name, user_id FROM thread_calls FINAL WHERE project_id = ${projectId} AND is_counted = 1`,
    z.object({ id: z.string(), thread_id: z.string(), op_name: z.string(), user_id: z.string() }),
  )
  const byId = new Map(stored.map((row) => [row.id, row]))
  expect(rows.map(({ id }) => byId.get(id))).toEqual(rows)
})

test('long words count by their beginning, and escapes of JSON are no letters', async () => {
  const projectId = 'searches/words'
  await fixture.writer.write([
    turn(projectId, 'a', { inputs: undefined, output: `${'x'.repeat(150)}\n\u0001"Öl\ttank`, exception: 'C:\\\\new' }),
  ])
  await openSearches().flush(projectId)
  expect((await readRows(projectId))[0]?.words).toEqual(['c', 'new', 'tank', 'x'.repeat(100), 'öl'])
})

test('calls that a killed process left are found by the next one', async () => {
  await fixture.insertUnderived(turn('searches/killed', 'a'))
  await fixture.restart()
  await openSearches().flush('searches/killed')
  expect(await readRows('searches/killed')).toHaveLength(1)
})

describe('whether calls have parts that disagree', () => {
  const all = (projectId: string) => sql`SELECT id FROM call_starts WHERE project_id = ${projectId}`
  const disagreeing = { started_at: '2026-01-01T00:00:09Z' }

  test('is known when they are derived, by the next process too', async () => {
    const projectId = 'searches/consistent'
    const known = async (searches: SearchDeriver) => searches.areConsistent(all(projectId), projectId, { isKnown: true })
    await fixture.writer.write([turn(projectId, 'a'), turn(projectId, 'b')])
    const searches = openSearches()
    expect(await known(searches)).toBe(false)
    expect(await searches.areConsistent(all(projectId), projectId, {})).toBe(true)
    await searches.flush(projectId)
    expect(await known(searches)).toBe(true)
    await fixture.writer.write([turn(projectId, 'b', disagreeing)])
    await searches.flush(projectId)
    for (const each of [searches, openSearches()]) expect(await each.areConsistent(all(projectId), projectId, {})).toBe(false)
    const other = sql`${all(projectId)} AND id = 'a'`
    expect(await searches.areConsistent(other, projectId, {})).toBe(true)
  })

  test('is found without writing anything, of many calls too', async () => {
    const projectId = 'searches/full-disk'
    const fail = async () => Promise.reject(new StoreError('unavailable', 'no space left', { code: 243 }))
    const searches = openSearches({ ...fixture.store, insert: fail, command: fail })
    const calls = Array.from({ length: 600 }, (_, index) => turn(projectId, `call-${index}`))
    await fixture.insertUnderived(...calls)
    expect(await searches.areConsistent(all(projectId), projectId, {})).toBe(true)
    await fixture.insertUnderived(turn(projectId, 'call-7', disagreeing))
    expect(await searches.areConsistent(all(projectId), projectId, {})).toBe(false)
    const other = sql`${all(projectId)} AND id = 'call-8'`
    expect(await searches.areConsistent(other, projectId, {})).toBe(true)
  })

  test('is not known of a project with a trace that is set aside', async () => {
    const projectId = 'searches/set-aside'
    const { store } = watchWords(() => {
      throw new StoreError('too_much_memory', 'too large', { code: 241 })
    })
    const searches = openSearches(store)
    await fixture.writer.write([turn(projectId, 'a')])
    // It is set aside with the last of several attempts.
    await expect.poll(() => searches.flush(projectId).catch((error: unknown) => error)).toBeUndefined()
    expect(await searches.areConsistent(all(projectId), projectId, {})).toBe(false)
  })
})
