import { setTimeout as wait } from 'node:timers/promises'
import { array, jsonValue } from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { recoverDerived } from '../derive/recover-derived'
import { GrowingClock } from '../lib/growing-clock'
import { serviceShare } from '../lib/share'
import { toStoredJson } from '../lib/stored-json'
import { patientTimes } from '../derive/testing/patient-times'
import { TurnDeriver } from '../derive/turn-deriver'
import { renderSql, sql } from '../store/sql'
import type { Store } from '../store/store'
import { StoreError } from '../store/store-error'
import { testProperty } from '../../testing/test-property'
import { silentLogger } from '../testing/silent-logger'
import { toCallLines } from './call-portion'
import type { CallRow } from './call-row'
import { CallWriter } from './call-writer'
import { defaultLimits } from './call-writer-limits'
import { OverloadedError } from './overloaded-error'
import { CallWriterFixture } from '../testing/call-writer-fixture'

let fixture: CallWriterFixture

beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

const turn = (projectId: string, id: string, threadId: string): CallRow => ({
  project_id: projectId,
  id,
  turn_id: id,
  thread_id: threadId,
  op_name: 'answer',
  started_at: '2026-01-01T00:00:00Z',
  ended_at: '2026-01-01T00:00:01Z',
})

/** A writer of its own, with a deriver of its own, on a changed store. */
function openOn(store: Store) {
  const deriver = new TurnDeriver({
    store,
    insertClock: new GrowingClock(() => Date.now()),
    logger: silentLogger,
    times: patientTimes,
  })
  return { deriver, writer: new CallWriter(store, deriver) }
}

test('the start and the end of a call are written as two rows and read as one turn', async () => {
  const { ended_at, ...start } = turn('example/p', 'a', 't')
  expect(await fixture.writer.write([start, { project_id: 'example/p', id: 'a', ended_at }])).toEqual([undefined, undefined])
  expect(await fixture.readThreads('example/p')).toMatchObject([
    { thread_id: 't', turn_count: 1, first_turn_id: 'a', p50_turn_duration_ms: 1000 },
  ])
})

test('an acknowledged write is visible to every query that starts after it', async () => {
  for (let index = 0; index < 20; index += 1) {
    await fixture.writer.write([turn('visible/p', `id-${index}`, 't')])
    expect(await fixture.readThreads('visible/p')).toMatchObject([{ turn_count: index + 1 }])
  }
})

test('concurrent writers share inserts, and all their rows are stored', async () => {
  let inserts = 0
  const store: Store = {
    ...fixture.store,
    insertLines: (table, lines) => {
      inserts += 1
      return fixture.store.insertLines(table, lines)
    },
  }
  const { writer } = openOn(store)
  await Promise.all(Array.from({ length: 300 }, (_, index) => writer.write([turn('many/p', `id-${index}`, `t${index % 7}`)])))
  await writer.close()
  expect((await fixture.readThreads('many/p')).reduce((sum, thread) => sum + thread.turn_count, 0)).toBe(300)
  expect(inserts).toBeLessThan(10)
})

const payloads = array(jsonValue({ stringUnit: 'binary' }), { maxLength: 40 })

testProperty('payloads of every kind are stored as the text of their JSON', payloads, { runs: 20 }, async (values) => {
  const texts = [
    '}{"\\]["',
    '\ud800',
    '\u0000\n',
    {},
    [],
    { '{"\\': ['"', { a: '}' }] },
    true,
    0,
    -1.5e-7,
    '',
    'null',
    '{}',
    JSON.parse('['.repeat(400) + ']'.repeat(400)),
  ]
  const id = String((payloadRuns += 1))
  const all = [...texts, ...values].filter((value) => value !== null)
  const rows = all.map((value, index): CallRow => ({ ...turn('payload/p', `${id}-${index}`, 't'), inputs: value, output: value }))
  expect(await fixture.writer.write(rows)).toEqual(rows.map(() => undefined))
  const stored = await fixture.store.query(
    sql`SELECT inputs, output FROM calls WHERE project_id = 'payload/p' AND startsWith(id, ${`${id}-`})
     ORDER BY toUInt32(splitByChar('-', id)[2])`,
    z.object({ inputs: z.string(), output: z.string() }),
  )
  expect(stored).toEqual(all.map((value) => ({ inputs: toStoredJson(value), output: toStoredJson(value) })))
})
let payloadRuns = 0

test('the texts of a call come back unchanged, but lone surrogates in ids become U+FFFD', async () => {
  const text = 'quote \' " backslash \\ nul \0 newline \n emoji 😀'
  await fixture.writer.write([
    {
      project_id: 'texts/p',
      id: 'x',
      op_name: text,
      thread_id: 'a\ud800',
      exception: '',
      started_at: '2026-01-01T00:00:00Z',
      inputs: { text, lone: '\udfff' },
      output: null,
    },
  ])
  const Row = z.object({
    op_name: z.string(),
    thread_id: z.string(),
    exception: z.nullable(z.string()),
    inputs: z.string(),
    output: z.string(),
  })
  const [row] = await fixture.store.query(
    sql`SELECT op_name, thread_id, exception, inputs, output FROM calls FINAL WHERE project_id = 'texts/p'`,
    Row,
  )
  expect(row).toMatchObject({ op_name: text, thread_id: 'a\ufffd', exception: '', output: '' })
  expect(JSON.parse(row?.inputs ?? '')).toEqual({ text, lone: '\udfff' })
})

const group = { maxRows: 10, maxBytes: 1e6 }

test('a write that would exceed the queue is refused as a whole, and later writes succeed', async () => {
  const limits = { group, bulkGroup: group, quietGroup: group, maxPendingRows: 40, maxPendingBytes: 1e6, maxWaitMs: 30_000 }
  const writer = new CallWriter(fixture.store, openOn(fixture.store).deriver, { limits })
  const rows = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => turn('overload/p', `${prefix}${index}`, 't'))
  const first = writer.write(rows('a', 15))
  await expect(writer.write(rows('b', 6))).rejects.toBeInstanceOf(OverloadedError)
  await first
  // An empty queue accepts a request of any size.
  await writer.write(rows('c', 25))
  await writer.close()
  expect(await fixture.readThreads('overload/p')).toMatchObject([{ turn_count: 40 }])
  await expect(writer.write(rows('d', 1))).rejects.toBeInstanceOf(OverloadedError)
})

test('a backlog of one user is inserted in larger groups, and others do not wait for it', async () => {
  const groups: string[][] = []
  let openGate = () => {}
  const gate = new Promise<void>((resolve) => {
    openGate = resolve
  })
  const store: Store = {
    ...fixture.store,
    insertLines: async (_, lines) => {
      const ids = [
        ...Buffer.from(lines)
          .toString()
          .matchAll(/"id":"(\w+)"/g),
      ].map((match) => match[1] ?? '')
      groups.push(ids)
      if (ids.some((id) => id.startsWith('a'))) await gate
    },
  }
  const limits = {
    group,
    bulkGroup: { maxRows: 30, maxBytes: 1e6 },
    quietGroup: { maxRows: 30, maxBytes: 1e6 },
    maxPendingRows: 100,
    maxPendingBytes: 1e6,
    maxWaitMs: 30_000,
  }
  const writer = new CallWriter(store, fixture.deriver, { limits })
  const rows = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => turn('backlog/p', `${prefix}${index}`, 't'))
  const backlog = writer.write(rows('a', 45), { user: 'ann' })
  await expect.poll(() => groups.length).toBe(1)
  await expect(writer.write(rows('more', 40), { user: 'ann' })).rejects.toBeInstanceOf(OverloadedError)
  await writer.write(rows('b', 1), { user: 'bob' })
  await writer.write(rows('c', 1), { user: 'bob' })
  expect(groups.map((ids) => ids.length)).toEqual([30, 1, 1])
  openGate()
  await backlog
  // What is left of a backlog is no backlog any more where it fits a small group.
  expect(groups.map((ids) => ids.length).toSorted((a, b) => b - a)).toEqual([30, 15, 1, 1])
})

const largerGroups = { group, bulkGroup: { maxRows: 20, maxBytes: 1e6 }, quietGroup: { maxRows: 30, maxBytes: 1e6 } }

/** A writer that inserts what nobody waits for after ten minutes, and the sizes of its inserts. */
function openPatient(readDelayMs = 600_000) {
  const sizes: number[] = []
  const { deriver } = openOn(fixture.store)
  const store: Store = {
    ...fixture.store,
    insertLines: async (_, lines) => void sizes.push(Buffer.from(lines).toString().split('\n').length - 1),
  }
  const limits = { ...defaultLimits, ...largerGroups }
  const writer = new CallWriter(store, deriver, { limits, delays: { maxMs: readDelayMs, maxQuietMs: 600_000 } })
  const toLines = (projectId: string, count: number) =>
    toCallLines(Array.from({ length: count }, (_, index) => turn(projectId, `id-${index}`, 't')))
  return {
    deriver,
    sizes,
    writer,
    write: (projectId: string, count: number) => writer.writeLines(toLines(projectId, count), serviceShare, 'now'),
    writeSoon: (projectId: string, count: number) => writer.writeLines(toLines(projectId, count), serviceShare, 'soon'),
  }
}

test('what a large group leaves is inserted at once where somebody waits for it', async () => {
  const { sizes, write } = openPatient()
  await write('rest/p', 35)
  expect(sizes).toEqual([30, 5])
})

test('rows of a project that somebody reads wait less for others, and take those of other projects along', async () => {
  const { deriver, sizes, writer, writeSoon } = openPatient(20)
  await deriver.flush('read-delay/p')
  await writeSoon('read-delay/p', 2)
  expect(sizes).toEqual([2])
  const ofOthers = writeSoon('unread-delay/p', 3)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(sizes).toEqual([2])
  await Promise.all([ofOthers, writeSoon('read-delay/p', 4)])
  expect(sizes).toEqual([2, 7])
  await writer.close()
})

test('groups are smaller while somebody reads one of their projects', async () => {
  const { deriver, sizes, write } = openPatient()
  await deriver.flush('read-groups/p')
  await Promise.all([write('unread-groups/p', 20), write('read-groups/p', 15)])
  expect(sizes).toEqual([20, 15])
})

test('rows that nobody waits for are inserted when they fill a group, or when somebody begins to wait', async () => {
  const { sizes, writer, writeSoon } = openPatient()
  // Longer than the writer takes to begin with rows that somebody waits for.
  const pause = () => wait(20)
  const first = writeSoon('fill/p', 15)
  await pause()
  expect(sizes).toEqual([])
  const second = writeSoon('fill/p', 20)
  await first
  await pause()
  expect(sizes).toEqual([30])
  writer.hurry()
  await second
  expect(sizes).toEqual([30, 5])
  // Those that come afterwards are not waited for.
  const third = writeSoon('fill/p', 15)
  await pause()
  expect(sizes).toEqual([30, 5])
  await writer.close()
  await third
  expect(sizes).toEqual([30, 5, 15])
})

test('a request of which no row was written within the time limit is refused; one that has begun is waited for', async () => {
  let finishInsert = () => {}
  let inserts = 0
  const store: Store = {
    ...fixture.store,
    insertLines: async () => {
      inserts += 1
      await new Promise<void>((resolve) => {
        finishInsert = resolve
      })
    },
  }
  const limits = {
    group: { maxRows: 1, maxBytes: 1e6 },
    bulkGroup: { maxRows: 2, maxBytes: 1e6 },
    quietGroup: { maxRows: 2, maxBytes: 1e6 },
    maxPendingRows: 100,
    maxPendingBytes: 1e6,
    maxWaitMs: 20,
  }
  const writer = new CallWriter(store, fixture.deriver, { limits })
  const begun = writer.write(['a', 'b', 'c', 'd'].map((id) => turn('late/p', id, 't')))
  await expect.poll(() => inserts).toBe(1)
  await expect(writer.write([turn('late/p', 'e', 't')])).rejects.toMatchObject({ kind: 'busy' })
  finishInsert()
  await expect.poll(() => inserts).toBe(2)
  finishInsert()
  expect(await begun).toEqual([undefined, undefined, undefined, undefined])
})

test('a row that the engine cannot read fails alone', async () => {
  const rows = Array.from({ length: 33 }, (_, index) => turn('bad/p', `id-${index}`, 't'))
  const bad = { ...turn('bad/p', 'bad', 't'), started_at: 'not a time at all, Z' }
  const rowErrors = await fixture.writer.write([...rows.slice(0, 20), bad, ...rows.slice(20)])
  expect(rowErrors.filter((error) => error !== undefined)).toHaveLength(1)
  expect(rowErrors[20]).toMatchObject({ kind: 'bad_row' })
  expect(await fixture.readThreads('bad/p')).toMatchObject([{ turn_count: 33 }])
})

test('a failing store fails the current writes and not the next ones', async () => {
  let failures = 2
  const { writer } = openOn({
    ...fixture.store,
    insertLines: async (table, lines) => {
      failures -= 1
      if (failures >= 0) throw new StoreError('unavailable', 'the disk is full')
      await fixture.store.insertLines(table, lines)
    },
  })
  await expect(writer.write([turn('failing/p', 'a', 't')])).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(writer.write([turn('failing/p', 'b', 't')])).rejects.toMatchObject({ kind: 'unavailable' })
  await writer.write([turn('failing/p', 'a', 't')])
  await writer.close()
  expect(await fixture.readThreads('failing/p')).toMatchObject([{ turn_count: 1, first_turn_id: 'a' }])
})

test('threads that could not be written are written later, and until then their reader gets the error', async () => {
  let isBroken = true
  const { writer, deriver } = openOn({
    ...fixture.store,
    command: async (statement) => {
      if (isBroken) throw new StoreError('unavailable', 'out of memory')
      await fixture.store.command(statement)
    },
  })
  await writer.write([turn('broken/p', 'a', 't')])
  await expect(deriver.flush('broken/p')).rejects.toMatchObject({ kind: 'unavailable' })
  isBroken = false
  await deriver.flush('broken/p')
  expect(await fixture.readThreads('broken/p')).toMatchObject([{ turn_count: 1 }])
  await writer.close()
})

test('a write is acknowledged when it is on disk, even while turns cannot be derived', async () => {
  let isBroken = true
  const { writer, deriver } = openOn({
    ...fixture.store,
    query: async (...query) => {
      if (isBroken) throw new StoreError('unavailable', 'out of memory')
      return fixture.store.query(...query)
    },
  })
  expect(await writer.write([turn('underived/p', 'a', 't')])).toEqual([undefined])
  await expect(deriver.flush('underived/p')).rejects.toMatchObject({ kind: 'unavailable' })
  isBroken = false
  await deriver.flush('underived/p')
  expect(await fixture.readThreads('underived/p')).toMatchObject([{ turn_count: 1 }])
  await writer.close()
})

test.each([
  ['too many calls', false, 20_000],
  ['more than a round of a project that somebody reads', true, 5000],
] as const)('backpressure: writers wait while %s are pending to be derived', async (_pending, isRead, maxPending) => {
  const projectId = `lead/${maxPending}`
  let derived = 0
  let maxLead = 0
  const { writer, deriver } = openOn({
    ...fixture.store,
    query: async (statement, ...more) => {
      const rows = await fixture.store.query(statement, ...more)
      // The list of calls, which may be bound as one text; their project is bound apart.
      for (const value of Object.values(renderSql(statement).params)) {
        const texts = Array.isArray(value) ? value : String(value).split('\u001f')
        if (texts.length > 1) derived += texts.length
      }
      return rows
    },
  })
  if (isRead) await deriver.flush(projectId)
  const rows = (request: number) =>
    Array.from({ length: 2000 }, (_, index) => turn(projectId, `${request}-${index}`, `t${index % 50}`))
  for (let request = 0; request < 20; request += 1) {
    await writer.write(rows(request))
    maxLead = Math.max(maxLead, (request + 1) * 2000 - derived)
  }
  expect(maxLead).toBeLessThanOrEqual(maxPending + 2000)
  await writer.close()
  expect(derived).toBe(40_000)
})

const callColumns = {
  id: 'a',
  turn_id: 'a',
  turn_ids: ['a'],
  thread_id: 't',
  thread_ids: ['t'],
  started_at: '2026-01-01 00:00:00',
}
const turnColumns = { thread_id: 'u', id: 'b', started_at: '2026-01-01 00:00:00', is_retracted: 0 }

test('a start derives from calls after the watermark, even if later turns exist', async () => {
  await fixture.restart({ recover: false })
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString().replace('T', ' ').slice(0, -1)
  await fixture.store.insert('calls', [{ project_id: 'late/p', ...callColumns, inserted_at: at(20) }])
  await fixture.store.insert('turns', [{ project_id: 'late/q', ...turnColumns, inserted_at: at(300) }])
  await recoverDerived(fixture.store, fixture.deriver)
  expect(await fixture.readThreads('late/p')).toMatchObject([{ thread_id: 't', turn_count: 1 }])
})

test('rows are stored with one time for each group, later than those of every group before', async () => {
  let nowMs = Date.now()
  const insertClock = new GrowingClock(() => nowMs)
  const deriver = new TurnDeriver({ store: fixture.store, insertClock, logger: silentLogger })
  const writer = new CallWriter(fixture.store, deriver)
  for (const id of ['a', 'b', 'c']) {
    await writer.write([turn('stamped/p', id, 't'), turn('stamped/p', `${id}2`, 't')])
    nowMs -= 3_600_000
  }
  const statement = sql`SELECT toString(inserted_at) AS time FROM calls WHERE project_id = 'stamped/p' ORDER BY id`
  const times = (await fixture.store.query(statement, z.object({ time: z.string() }))).map(({ time }) => time)
  expect(times).toHaveLength(6)
  expect(times).toEqual(times.toSorted())
  expect(new Set(times).size).toBe(3)
  await writer.close()
})

test('a start derives what the previous process had not derived when it ended', async () => {
  // A kill between the steps leaves calls without turns.
  await fixture.store.insert('calls', [{ project_id: 'killed/p', ...callColumns }])
  expect(await fixture.readThreads('killed/p')).toEqual([])
  // A kill within an insert leaves rows of the table without those of its view.
  await fixture.store.command(sql`DELETE FROM call_starts WHERE project_id = 'killed/p'`)
  await recoverDerived(fixture.store, fixture.deriver)
  expect(await fixture.readThreads('killed/p')).toMatchObject([{ thread_id: 't' }])
  const starts = await fixture.store.query(
    sql`SELECT id FROM call_starts WHERE project_id = 'killed/p'`,
    z.object({ id: z.string() }),
  )
  expect(starts).toEqual([{ id: 'a' }])
})

test('on a shared store threads are derived before the acknowledgement', async () => {
  const { writer } = openOn({ ...fixture.store, isShared: true })
  await writer.write([turn('shared/p', 'a', 't')])
  // The deriver of the fixture knows nothing of this write.
  expect(await fixture.readThreads('shared/p')).toMatchObject([{ turn_count: 1 }])
  await writer.close()
})

test('projects never share a thread, even with the same ids', async () => {
  await fixture.writer.write([turn('one/p', 'a', 't'), turn('two/p', 'a', 't'), turn('two/p', 'b', 't')])
  expect(await fixture.readThreads('one/p')).toMatchObject([{ turn_count: 1 }])
  expect(await fixture.readThreads('two/p')).toMatchObject([{ turn_count: 2 }])
  expect(await fixture.readThreads('three/p')).toEqual([])
})
