import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { formatInstant } from '../../contract/instant'
import { renderSql, type Sql } from '../store/sql'
import type { Store } from '../store/store'
import { StoreError } from '../store/store-error'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { listThreads } from '../threads/list-threads'
import { referenceThreads, sortReferenceThreads } from '../derive/testing/reference-threads'
import { TurnDeriver } from '../derive/turn-deriver'
import type { CallRow } from './call-row'
import { CallWriter } from './call-writer'
import { OverloadedError } from './overloaded-error'
import { recoverDerived } from '../derive/recover-derived'
import { silentLogger } from '../testing/silent-logger'

let place: Awaited<ReturnType<typeof openTemporaryStore>>
let summary: TurnDeriver
let writer: CallWriter

function openWriter() {
  summary = new TurnDeriver({ store: place.store, logger: silentLogger })
  writer = new CallWriter(place.store, summary)
}

beforeAll(async () => {
  place = await openTemporaryStore()
  openWriter()
})

afterAll(async () => {
  await writer.close()
  await place.remove()
})

type Bounds = { after_datetime?: string; before_datetime?: string }

async function restart() {
  await writer.close()
  await place.reopen()
  openWriter()
  await recoverDerived(place.store, summary)
}

async function readThreads(projectId: string, filter?: Bounds) {
  await summary.flush(projectId)
  const rows = []
  const sort_by = [{ field: 'thread_id', direction: 'asc' } as const]
  for await (const batch of listThreads(place.store, { project_id: projectId, sort_by, filter })) rows.push(...batch)
  return rows
}

/** Far from every turn: the list is summed up from the turns instead of read from the summary. */
const everything = { after_datetime: '1900-01-01T00:00:00Z' }

const callIds = ['00000000000000a1', '00000000000000b2', '00000000000000c3', '00000000000000d4', '00000000000000e5']
const instant = fc.integer({ min: 0, max: 5_000_000 }).map((micro) => formatInstant(1_790_000_000_000_000n + BigInt(micro) * 37n))
const callId = fc.constantFrom(...callIds)
const said = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })
const window = fc.record({ after: said(instant), before: said(instant) })
const part = fc.record({
  id: callId,
  thread_id: said(fc.constantFrom('t', 'T', 'ü', '😀', '\uffff', 'tt')),
  turn_id: said(fc.oneof({ weight: 3, arbitrary: fc.constant('own') }, { weight: 1, arbitrary: callId })),
  started_at: said(instant),
  ended_at: said(instant),
})

/** Parts in some order, some sent again, cut into requests, some of them at once, some of them after a restart. */
const history = fc.array(part, { minLength: 1, maxLength: 14 }).chain((parts) =>
  fc.record({
    parts: fc.constant(parts),
    order: fc.shuffledSubarray([...parts.keys()], { minLength: parts.length, maxLength: parts.length }),
    again: fc.array(fc.nat({ max: parts.length - 1 }), { maxLength: 4 }),
    sizes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 }),
    restarts: fc.array(fc.nat({ max: 8 }), { maxLength: 2 }),
    windows: fc.array(window, { minLength: 2, maxLength: 2 }),
  }),
)

test('parts of calls in any order, repeated, conflicting and split give the threads that the definition gives', async () => {
  const expected: { projectId: string; filter?: Bounds; threads: unknown }[] = []
  let run = 0
  await fc.assert(
    fc.asyncProperty(history, async ({ parts, order, again, sizes, restarts, windows }) => {
      run += 1
      const projectId = `property/${run}`
      const rows = parts.map((each): CallRow => ({
        ...each,
        project_id: projectId,
        turn_id: each.turn_id === 'own' ? each.id : each.turn_id,
      }))
      const sent = [...order, ...again].flatMap((index) => rows[index] ?? [])
      let from = 0
      for (let request = 0; from < sent.length; request += 1) {
        const size = sizes[request % sizes.length] ?? 1
        if (restarts.includes(request)) await restart()
        const writing = writer.write(sent.slice(from, from + size))
        // Every other request goes out while the one before is being written, and threads are read in between.
        if (request % 2 === 0) await writing
        if (request % 3 === 0) await readThreads(projectId, everything)
        from += size
        if (from >= sent.length) await writing
      }
      const threads = sortReferenceThreads(referenceThreads(rows), [])
      expect(await readThreads(projectId)).toEqual(threads)
      expect(await readThreads(projectId, everything)).toEqual(threads)
      expected.push({ projectId, threads })
      // Bounds of chance, and starts that were said, of which some no longer count.
      const starts = rows.flatMap(({ started_at }) => started_at ?? []).slice(0, 2)
      for (const { after, before } of [...windows, ...starts.map((start) => ({ after: start, before: undefined }))]) {
        const filter = { ...(after && { after_datetime: after }), ...(before && { before_datetime: before }) }
        const within = sortReferenceThreads(referenceThreads(rows, { ...(after && { after }), ...(before && { before }) }), [])
        expect(await readThreads(projectId, filter)).toEqual(within)
        expected.push({ projectId, filter, threads: within })
      }
    }),
    { numRuns: 30, seed: 20_261_121 },
  )

  await restart()
  for (const { projectId, filter, threads } of expected) expect(await readThreads(projectId, filter)).toEqual(threads)
}, 90_000)

const turn = (projectId: string, id: string, threadId: string): CallRow => ({
  project_id: projectId,
  id,
  turn_id: id,
  thread_id: threadId,
  op_name: 'answer',
  started_at: '2026-01-01T00:00:00Z',
  ended_at: '2026-01-01T00:00:01Z',
})

test('a write that was acknowledged is visible to every query begun after it', async () => {
  for (let index = 0; index < 20; index += 1) {
    await writer.write([turn('visible/p', `id-${index}`, 't')])
    expect(await readThreads('visible/p')).toMatchObject([{ turn_count: index + 1 }])
  }
})

test('many writers at once share their writes, and each is answered when its own rows are stored', async () => {
  let inserts = 0
  const counting: Store = {
    ...place.store,
    insertLines: (table, lines) => {
      inserts += 1
      return place.store.insertLines(table, lines)
    },
  }
  const own = new CallWriter(counting, summary)
  await Promise.all(Array.from({ length: 300 }, (_, index) => own.write([turn('many/p', `id-${index}`, `t${index % 7}`)])))
  expect((await readThreads('many/p')).reduce((sum, thread) => sum + thread.turn_count, 0)).toBe(300)
  expect(inserts).toBeLessThan(10)
  await own.close()
})

test('what the texts of a call hold comes back, lone surrogates as U+FFFD in ids and kept in payloads', async () => {
  const text = 'quote \' " backslash \\ nul \0 newline \n emoji 😀'
  await writer.write([
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
  const [row] = await place.store.query(
    "SELECT op_name, thread_id, exception, inputs, output FROM calls FINAL WHERE project_id = 'texts/p'",
    {},
    Row,
  )
  expect(row).toMatchObject({ op_name: text, thread_id: 'a\ufffd', exception: '', output: '' })
  expect(JSON.parse(row?.inputs ?? '')).toEqual({ text, lone: '\udfff' })
})

test('more than may wait is refused before any of it is taken, and the queue recovers', async () => {
  const small = new CallWriter(place.store, summary, { rowsPerFlush: 10, bytesPerFlush: 1e6, waitingRows: 20, waitingBytes: 1e6 })
  const rows = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => turn('overload/p', `${prefix}${index}`, 't'))
  const first = small.write(rows('a', 15))
  await expect(small.write(rows('b', 6))).rejects.toBeInstanceOf(OverloadedError)
  await first
  // A request larger than the queue is taken when nothing else waits.
  await small.write(rows('c', 25))
  expect(await readThreads('overload/p')).toMatchObject([{ turn_count: 40 }])
  await small.close()
  await expect(small.write(rows('d', 1))).rejects.toBeInstanceOf(OverloadedError)
})

test('a row the engine cannot read fails alone', async () => {
  const rows = Array.from({ length: 33 }, (_, index) => turn('bad/p', `id-${index}`, 't'))
  const bad = { ...turn('bad/p', 'bad', 't'), started_at: 'not a time at all, Z' }
  const refusals = await writer.write([...rows.slice(0, 20), bad, ...rows.slice(20)])
  expect(refusals.filter((refusal) => refusal !== undefined)).toHaveLength(1)
  expect(refusals[20]).toMatchObject({ kind: 'bad_row' })
  expect(await readThreads('bad/p')).toMatchObject([{ turn_count: 33 }])
})

test('a store that fails fails the writers of that moment and not those after', async () => {
  let failures = 2
  const failing: Store = {
    ...place.store,
    insertLines: async (table, lines) => {
      failures -= 1
      if (failures >= 0) throw new StoreError('unavailable', 'the disk is full')
      await place.store.insertLines(table, lines)
    },
  }
  const own = new CallWriter(failing, summary)
  await expect(own.write([turn('failing/p', 'a', 't')])).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(own.write([turn('failing/p', 'b', 't')])).rejects.toMatchObject({ kind: 'unavailable' })
  await own.write([turn('failing/p', 'a', 't')])
  expect(await readThreads('failing/p')).toMatchObject([{ turn_count: 1, first_turn_id: 'a' }])
  await own.close()
})

test('threads that could not be summed up are summed up later, and a reader is not shown the old ones', async () => {
  let isBroken = true
  const broken: Store = {
    ...place.store,
    command: async (...statement: readonly unknown[]) => {
      if (isBroken) throw new StoreError('unavailable', 'out of memory')
      await place.store.command(...(statement as [Sql]))
    },
  }
  const ownSummary = new TurnDeriver({ store: broken, logger: silentLogger })
  const own = new CallWriter(broken, ownSummary)
  await own.write([turn('broken/p', 'a', 't')])
  await expect(ownSummary.flush('broken/p')).rejects.toMatchObject({ kind: 'unavailable' })
  isBroken = false
  await ownSummary.flush('broken/p')
  expect(await readThreads('broken/p')).toMatchObject([{ turn_count: 1 }])
  await own.close()
})

test('an acknowledgement waits for the disk alone; a reader waits for what is derived, or is told that it cannot be', async () => {
  let isBroken = true
  const unreadable: Store = {
    ...place.store,
    query: async (...query: readonly unknown[]) => {
      if (isBroken) throw new StoreError('unavailable', 'out of memory')
      return place.store.query(...(query as [Sql, never]))
    },
  }
  const ownSummary = new TurnDeriver({ store: unreadable, logger: silentLogger })
  const own = new CallWriter(unreadable, ownSummary)
  expect(await own.write([turn('underived/p', 'a', 't')])).toEqual([undefined])
  await expect(ownSummary.flush('underived/p')).rejects.toMatchObject({ kind: 'unavailable' })
  isBroken = false
  await ownSummary.flush('underived/p')
  expect(await readThreads('underived/p')).toMatchObject([{ turn_count: 1 }])
  await own.close()
})

test('calls wait for their turns to be derived in bounded numbers: beyond, whoever writes waits too', async () => {
  let derived = 0
  let greatestLead = 0
  const counting: Store = {
    ...place.store,
    query: async (...query: readonly unknown[]) => {
      const rows = await place.store.query(...(query as [Sql, never]))
      const params: object = typeof query[0] === 'string' ? Object(query[1]) : renderSql(query[0] as Sql).params
      for (const value of Object.values(params)) if (Array.isArray(value)) derived += value.length
      return rows
    },
  }
  const own = new CallWriter(counting, new TurnDeriver({ store: counting, logger: silentLogger }))
  const rows = (request: number) =>
    Array.from({ length: 2000 }, (_, index) => turn('lead/p', `${request}-${index}`, `t${index % 50}`))
  for (let request = 0; request < 20; request += 1) {
    await own.write(rows(request))
    greatestLead = Math.max(greatestLead, (request + 1) * 2000 - derived)
  }
  expect(greatestLead).toBeLessThanOrEqual(22_000)
  await own.close()
  expect(derived).toBe(40_000)
})

test('a start derives from what came after the time up to which all was derived, whatever others have derived since', async () => {
  await writer.close()
  openWriter()
  const call = { project_id: 'late/p', id: 'a', turn_id: 'a', turn_ids: ['a'], thread_id: 't', thread_ids: ['t'] }
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString().replace('T', ' ').slice(0, -1)
  await place.store.insert('calls', [{ ...call, started_at: '2026-01-01 00:00:00', inserted_at: at(-20) }])
  await place.store.insert('turns', [
    { project_id: 'late/q', thread_id: 'u', id: 'b', started_at: '2026-01-01 00:00:00', is_retracted: 0, inserted_at: at(300) },
  ])
  await recoverDerived(place.store, summary)
  expect(await readThreads('late/p')).toMatchObject([{ thread_id: 't', turn_count: 1 }])
})

test('what a process left underived when it ended is derived at the next start', async () => {
  // Calls without their turns, and turns without their thread: as a kill between the steps leaves them.
  const call = { project_id: 'cut/p', id: 'a', turn_id: 'a', turn_ids: ['a'], thread_id: 't', thread_ids: ['t'] }
  await place.store.insert('calls', [{ ...call, started_at: '2026-01-01 00:00:00' }])
  await place.store.insert('turns', [
    { project_id: 'cut/p', thread_id: 'u', id: 'b', started_at: '2026-01-01 00:00:00', is_retracted: 0 },
  ])
  expect(await readThreads('cut/p')).toEqual([])
  // An insert that was cut off between the table and its view.
  const ofCut = "project_id = 'cut/p'"
  await place.store.command(`DELETE FROM call_starts WHERE ${ofCut}`)
  await recoverDerived(place.store, summary)
  expect(await readThreads('cut/p')).toMatchObject([{ thread_id: 't' }, { thread_id: 'u' }])
  const starts = await place.store.query(`SELECT id FROM call_starts WHERE ${ofCut}`, {}, z.object({ id: z.string() }))
  expect(starts).toEqual([{ id: 'a' }])
})

test('on a store that others write to as well, threads are summed up before the acknowledgement', async () => {
  const shared: Store = { ...place.store, isShared: true }
  const own = new CallWriter(shared, new TurnDeriver({ store: shared, logger: silentLogger }))
  await own.write([turn('shared/p', 'a', 't')])
  const rows = []
  for await (const batch of listThreads(place.store, { project_id: 'shared/p' })) rows.push(...batch)
  expect(rows).toMatchObject([{ turn_count: 1 }])
  await own.close()
})

test('projects never share a thread, even with the same ids', async () => {
  await writer.write([turn('one/p', 'a', 't'), turn('two/p', 'a', 't'), turn('two/p', 'b', 't')])
  expect(await readThreads('one/p')).toMatchObject([{ turn_count: 1 }])
  expect(await readThreads('two/p')).toMatchObject([{ turn_count: 2 }])
  expect(await readThreads('three/p')).toEqual([])
})
