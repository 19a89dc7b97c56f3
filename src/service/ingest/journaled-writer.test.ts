import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { patientTimes } from '../derive/testing/patient-times'
import { TurnDeriver } from '../derive/turn-deriver'
import { GrowingClock } from '../lib/growing-clock'
import type { Store } from '../store/store'
import { StoreError } from '../store/store-error'
import { CallWriterFixture } from '../testing/call-writer-fixture'
import { silentLogger } from '../testing/silent-logger'
import { toCallLines } from './call-portion'
import type { CallRow } from './call-row'
import { CallWriter } from './call-writer'
import { type CallWriterLimits, defaultLimits } from './call-writer-limits'
import { CallJournal } from './journal/call-journal'
import { JournaledWriter } from './journaled-writer'
import { OverloadedError } from './overloaded-error'

let fixture: CallWriterFixture
const folder = mkdtempSync(join(tmpdir(), 'spool-journal-'))
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(async () => {
  await fixture.close()
  rmSync(folder, { recursive: true, force: true })
})

const turn = (projectId: string, id: string): CallRow => ({
  project_id: projectId,
  id,
  turn_id: id,
  thread_id: 't',
  op_name: 'answer',
  started_at: '2026-01-01T00:00:00Z',
  ended_at: '2026-01-01T00:00:01Z',
})
const turns = (projectId: string, count: number, prefix = 'id') =>
  Array.from({ length: count }, (_, index) => turn(projectId, `${prefix}-${index}`))

const neverMs = 600_000
type Changes = { store?: Partial<Store>; limits?: Partial<CallWriterLimits>; maxDelayMs?: number; name?: string }

/** A process of its own: a writer, a deriver and the journal in `name`. */
async function start({ store: changes = {}, limits = {}, maxDelayMs = neverMs, name = 'shared' }: Changes = {}) {
  const store: Store = { ...fixture.store, ...changes }
  const insertClock = new GrowingClock(() => Date.now())
  const deriver = new TurnDeriver({ store, insertClock, logger: silentLogger, times: patientTimes })
  const journal = await CallJournal.open(join(folder, name), silentLogger)
  const times = { maxReaderWaitMs: 20_000, minRetryMs: 20, maxRetryMs: 20 }
  const direct = new CallWriter(store, deriver, {
    limits: { ...defaultLimits, ...limits },
    delays: { maxMs: maxDelayMs, maxQuietMs: maxDelayMs },
  })
  return { writer: new JournaledWriter({ store, writer: direct, journal, logger: silentLogger, times }), direct, deriver }
}
type Process = Awaited<ReturnType<typeof start>>

async function readIds(projectId: string, { writer, deriver }: Process): Promise<number> {
  await writer.settle(projectId)
  await deriver.flush(projectId)
  return (await fixture.readThreads(projectId)).reduce((sum, thread) => sum + thread.turn_count, 0)
}

/** A store on which inserts wait or fail until `open` is called. */
function gate(error?: StoreError) {
  let isOpen = false
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  const insertLines: Store['insertLines'] = async (...insert) => {
    if (!isOpen && error) throw error
    if (!isOpen) await opened
    await fixture.store.insertLines(...insert)
  }
  return {
    store: { insertLines },
    open: () => {
      isOpen = true
      open()
    },
  }
}
const unavailable = new StoreError('unavailable', 'the disk is full')

test('a small write is acknowledged before it is inserted, and a reader waits for the insert', async () => {
  const { store, open } = gate()
  const process = await start({ store, name: 'small' })
  expect(await process.writer.write([turn('small/p', 'a')])).toEqual([])
  open()
  expect(await readIds('small/p', process)).toBe(1)
  await process.writer.close()
  await expect.poll(() => readdirSync(join(folder, 'small'))).toEqual([])
})

test('what was acknowledged and not inserted when a process was killed is stored by the next', async () => {
  const killed = await start({ store: gate().store, name: 'killed' })
  for (const id of ['a', 'b']) await killed.writer.write([turn('killed/p', id)])
  const next = await start({ name: 'killed' })
  next.writer.replay()
  expect(await readIds('killed/p', next)).toBe(2)
  await next.writer.close()
})

test('what is refused because the folder of the store is gone is not in the journal', async () => {
  const lost = await start({ store: { failure: unavailable }, name: 'lost' })
  await expect(lost.writer.write([turn('lost/p', 'a')])).rejects.toBe(unavailable)
  const next = await start({ name: 'lost' })
  next.writer.replay()
  expect(await readIds('lost/p', next)).toBe(0)
  await next.writer.close()
})

test('a replay of what is stored already changes nothing', async () => {
  const first = await start({ name: 'twice' })
  const [start1, end1] = [
    { ...turn('twice/p', 'a'), ended_at: undefined },
    { project_id: 'twice/p', id: 'a' },
  ]
  await first.writer.write([start1])
  await first.writer.write([{ ...end1, ended_at: '2026-01-01T00:00:02Z' }])
  expect(await readIds('twice/p', first)).toBe(1)
  const before = await fixture.readThreads('twice/p')
  // The first process never closes its journal: it is killed.
  const next = await start({ name: 'twice' })
  next.writer.replay()
  expect(await readIds('twice/p', next)).toBe(1)
  expect(await fixture.readThreads('twice/p')).toEqual(before)
  await next.writer.close()
})

test('writes that nobody waits for are inserted together, a moment later', async () => {
  let inserts = 0
  const insertLines: Store['insertLines'] = async (...insert) => {
    inserts += 1
    await fixture.store.insertLines(...insert)
  }
  const process = await start({ store: { insertLines }, maxDelayMs: 300, name: 'together' })
  for (const row of turns('together/p', 20)) await process.writer.write([row])
  await expect.poll(() => inserts).toBeGreaterThan(0)
  expect(await readIds('together/p', process)).toBe(20)
  expect(inserts).toBeLessThan(10)
  await process.writer.close()
})

test('a very large write is acknowledged when it is inserted', async () => {
  const { store, open } = gate()
  const process = await start({ store, name: 'large' })
  let isAcknowledged = false
  const rows = [{ ...turn('large/p', 'large'), inputs: { text: 'x'.repeat(6_000_000) } }]
  const written = process.writer.write(rows).then(() => (isAcknowledged = true))
  await process.writer.write([turn('large/q', 'a')], { user: 'bob' })
  expect(isAcknowledged).toBe(false)
  open()
  await written
  expect(await readIds('large/p', process)).toBe(1)
  await process.writer.close()
})

test('a user who is far ahead of the inserts waits for them, and others do not', async () => {
  const { store, open } = gate()
  const limits = { group: { maxRows: 20, maxBytes: 1e6 }, quietGroup: { maxRows: 40, maxBytes: 1e6 } }
  const process = await start({ store, limits, name: 'ahead' })
  const write = (count: number, prefix: string, user: string) => process.writer.write(turns('ahead/p', count, prefix), { user })
  // Up to forty rows are being inserted, and more than forty wait.
  for (let index = 0; !process.direct.isBehind('ann', ['ahead/p']); index += 1) await write(10, `first${index}`, 'ann')
  let isAcknowledged = false
  const behind = write(1, 'last', 'ann').then(() => (isAcknowledged = true))
  await write(1, 'other', 'bob')
  expect(isAcknowledged).toBe(false)
  open()
  await behind
  await process.writer.close()
})

test('with more than a group pending, only writes to a project that somebody reads wait for their insert', async () => {
  const { store, open } = gate()
  const limits = { group: { maxRows: 20, maxBytes: 1e6 } }
  const process = await start({ store, limits, name: 'read' })
  await process.deriver.flush('read/p')
  const write = (projectId: string, prefix: string) => process.writer.write(turns(projectId, 10, prefix), { user: 'ann' })
  for (let index = 0; !process.direct.isBehind('ann', ['read/p']); index += 1) await write('unread/p', `first${index}`)
  let isAcknowledged = false
  const behind = write('read/p', 'last').then(() => (isAcknowledged = true))
  await write('unread/p', 'other')
  expect(isAcknowledged).toBe(false)
  open()
  await behind
  await process.writer.close()
})

test('acknowledged calls that cannot be inserted are tried again; until then readers and further writers get the error', async () => {
  let isBroken = false
  const insertLines: Store['insertLines'] = async (...insert) => {
    if (isBroken) throw unavailable
    await fixture.store.insertLines(...insert)
  }
  const process = await start({ store: { insertLines }, name: 'broken' })
  isBroken = true
  expect(await process.writer.write([turn('broken/p', 'a')])).toEqual([])
  await expect(process.writer.settle('broken/p')).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(process.writer.write([turn('broken/q', 'b')])).rejects.toMatchObject({ kind: 'unavailable' })
  await process.writer.settle('fine/p')
  isBroken = false
  await expect.poll(() => readIds('broken/p', process).catch(() => 0)).toBe(1)
  await process.writer.close()
})

test('the projects of a journal that is replayed are listed when their calls are visible, and not without them before', async () => {
  const killed = await start({ store: gate().store, name: 'projects' })
  await killed.writer.write([turn('projects/p', 'a')])
  expect(await killed.writer.listUnsettledProjects()).toEqual(['projects/p'])
  const { store, open } = gate()
  const next = await start({ store, name: 'projects' })
  next.writer.replay()
  let isListed = false
  const listed = next.writer.listUnsettledProjects().then(() => (isListed = true))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(isListed).toBe(false)
  open()
  await listed
  expect(await readIds('projects/p', next)).toBe(1)
})

test('a replay that fails is tried again, and its readers get the error meanwhile', async () => {
  const killed = await start({ store: gate().store, name: 'replay' })
  await killed.writer.write([turn('replay/p', 'a')])
  const { store, open } = gate(unavailable)
  const next = await start({ store, name: 'replay' })
  next.writer.replay()
  await expect.poll(() => next.writer.settle('replay/p').catch((error: unknown) => error)).toMatchObject({ kind: 'unavailable' })
  open()
  await expect.poll(() => readIds('replay/p', next).catch(() => 0)).toBe(1)
  await next.writer.close()
})

test('without its folder the journal is left out, and writes wait for their insert', async () => {
  const process = await start({ name: 'gone' })
  rmSync(join(folder, 'gone'), { recursive: true })
  expect(await process.writer.write([turn('gone/p', 'a')])).toEqual([undefined])
  expect(await readIds('gone/p', process)).toBe(1)
  await process.writer.close()
})

test('nothing is acknowledged by a journal in a data folder that is gone', async () => {
  const failure = new StoreError('unavailable', 'the data folder is gone')
  const insertLines: Store['insertLines'] = () => Promise.reject(failure)
  const process = await start({ store: { insertLines, failure }, name: 'lost' })
  await expect(process.writer.write([turn('lost/p', 'a')])).rejects.toBe(failure)
  await process.writer.close()
})

test('the memory of lines is given back when they are inserted, except where a row of them may still wait', async () => {
  const share = { user: 'u' }
  const [first, second] = ['a', 'b'].map((prefix) => toCallLines(turns('freed/p', 100, prefix)))
  if (!first || !second) throw new Error('no lines')
  const { store, open } = gate()
  const process = await start({ store, name: 'freed' })
  await process.writer.writeLines(first, share)
  expect(first.bytes.length).toBeGreaterThan(10_000)
  open()
  expect(await readIds('freed/p', process)).toBe(100)
  await expect.poll(() => first.bytes.length).toBe(0)
  const large = toCallLines([{ ...turn('freed/p', 'large'), output: 'x'.repeat(6_000_000) }])
  await process.writer.writeLines(large, share)
  expect(large.bytes.length, 'too large for the journal').toBe(0)
  await process.writer.close()

  const failing = gate(unavailable)
  const retrying = await start({ store: failing.store, name: 'not freed' })
  await retrying.writer.writeLines(second, share)
  await expect(retrying.writer.settle('freed/p')).rejects.toThrow('the disk is full')
  failing.open()
  await expect.poll(async () => await readIds('freed/p', retrying).catch(() => 0)).toBe(201)
  await retrying.writer.close()
  expect(second.bytes.length).toBeGreaterThan(10_000)
})

test('rows that the engine cannot read are told where nobody was told otherwise, and are kept where somebody was', async () => {
  const bad = { ...turn('bad/p', 'bad'), started_at: 'not a time at all, Z' }
  const process = await start({ name: 'bad' })
  const large = await process.writer.write([...turns('bad/p', 5), { ...bad, inputs: { text: 'x'.repeat(6_000_000) } }])
  expect(large.at(-1)).toMatchObject({ kind: 'bad_row' })
  expect(await process.writer.write([bad])).toEqual([])
  expect(await readIds('bad/p', process)).toBe(5)
  await process.writer.close()
  await expect.poll(() => readdirSync(join(folder, 'bad'))).toEqual(['unreadable.jsonl'])
})

test('a closed writer accepts nothing, and leaves what it could not insert to the next', async () => {
  const process = await start({ store: gate(unavailable).store, name: 'closed' })
  await process.writer.write([turn('closed/p', 'a')])
  await process.writer.settle('closed/p').catch(() => undefined)
  await process.writer.close()
  await expect(process.writer.write([turn('closed/p', 'b')])).rejects.toBeInstanceOf(OverloadedError)
  const next = await start({ name: 'closed' })
  next.writer.replay()
  expect(await readIds('closed/p', next)).toBe(1)
  await next.writer.close()
})
