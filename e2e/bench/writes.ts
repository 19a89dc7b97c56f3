import { pino } from 'pino'
import type { CallRow } from '../../src/service/ingest/call-row'
import { toCallLine } from '../../src/service/ingest/call-row'
import { CallWriter } from '../../src/service/ingest/call-writer'
import { identifier, sql, uint64 } from '../../src/service/store/sql'
import type { Store } from '../../src/service/store/store'
import { GrowingClock } from '../../src/service/lib/growing-clock'
import { TurnDeriver } from '../../src/service/derive/turn-deriver'
import { measureInterleaved, type Measurement, median, report } from './report'

const rowsPerInsert = 5000
const periodMs = 1500
const rounds = 3
/** The store refuses more of one project. It makes as many inserts a second however many wait. */
const maxWaitingInserts = 64
const syncedTables = ['calls', 'turns', 'turns_by_start', 'threads'] as const

let written = 0
/** A call of about 2 kB; one in ten is a turn. */
function nextCall(): CallRow {
  written += 1
  const turn = `turn-${Math.ceil(written / 10)}`
  return {
    project_id: 'bench/writes',
    id: written % 10 === 1 ? turn : `call-${written}`,
    turn_id: turn,
    thread_id: `thread-${Math.ceil(written / 80)}`,
    op_name: 'answer',
    started_at: '2026-01-01T00:00:00.000001Z',
    ended_at: '2026-01-01T00:00:01.5Z',
    inputs: { text: `${written} `.repeat(150) },
    output: { text: `${written} `.repeat(150) },
  }
}

/** Writing rows compared with the engine's own INSERT SELECT, group commit with one insert per call, fsync with none. */
export async function benchWrites(store: Store): Promise<boolean> {
  await store.command(sql`CREATE TABLE source AS calls ENGINE = Memory`)
  const lines = Buffer.from(Array.from({ length: rowsPerInsert }, () => toCallLine(nextCall())).join(''))
  await store.insertLines('source', Buffer.from(lines))
  const bulk = await measureInterleaved(
    {
      serialised: () => store.insertLines('calls', Buffer.from(lines)),
      // With a new time of insertion: the engine drops a block that it has seen before.
      engine: () => store.command(sql`INSERT INTO calls SELECT * REPLACE (now64(6) AS inserted_at) FROM source`),
    },
    7,
  )

  const writer = new CallWriter(
    store,
    new TurnDeriver({
      store,
      insertClock: new GrowingClock(() => Date.now()),
      logger: pino({ level: 'error' }, pino.destination(2)),
    }),
  )
  const inGroups = async () => {
    const errors = await writer.write([nextCall()])
    if (errors.some((error) => error)) throw new Error('The engine refused a row of the bench.')
  }
  const oneByOne = () => store.insertLines('calls', Buffer.from(toCallLine(nextCall())))
  const figures: Measurement[] = [
    {
      name: `serialised rows / INSERT SELECT, ${rowsPerInsert.toLocaleString('en')} rows`,
      value: bulk.engine / bulk.serialised,
      unit: 'x',
      target: { min: 0.4 },
    },
    { name: 'serialised rows', value: rowsPerInsert / (bulk.serialised / 1000), unit: 'rows/s' },
  ]
  for (const [writers, min] of [[1], [16], [64, 8], [256, 25]] as const) {
    const rates = { inGroups: [] as number[], oneByOne: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      rates.inGroups.push(await measureRate(writers, inGroups))
      rates.oneByOne.push(await measureRate(Math.min(writers, maxWaitingInserts), oneByOne))
    }
    const gain = median(rates.inGroups) / median(rates.oneByOne)
    figures.push(
      { name: `${writers} writers, one call each, with turns`, value: median(rates.inGroups), unit: 'calls/s' },
      {
        name: `${writers} writers: group commit / one insert per call`,
        value: gain,
        unit: 'x',
        ...(min !== undefined && { target: { min } }),
      },
    )
  }
  const synced: number[] = []
  const unsynced: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await setSync(store, 0)
    unsynced.push(await measureRate(64, inGroups))
    await setSync(store, 1)
    synced.push(await measureRate(64, inGroups))
  }
  figures.push({
    name: '64 writers: with fsync / without',
    value: median(synced) / median(unsynced),
    unit: 'x',
    target: { min: 0.5 },
  })
  await writer.close()
  return report('Writes', figures)
}

/** How many times a second `writers` in parallel complete `write`. */
async function measureRate(writers: number, write: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  let count = 0
  const writer = async () => {
    while (performance.now() - startedAt < periodMs) {
      await write()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: writers }, writer))
  return count / ((performance.now() - startedAt) / 1000)
}

async function setSync(store: Store, value: 0 | 1): Promise<void> {
  for (const table of syncedTables) {
    const on = uint64(value)
    await store.command(
      sql`ALTER TABLE ${identifier(table)} MODIFY SETTING fsync_after_insert = ${on}, fsync_part_directory = ${on}`,
    )
  }
}
