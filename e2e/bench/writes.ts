import type { CallRow } from '../../src/service/ingest/call-row'
import { toCallLine } from '../../src/service/ingest/call-row'
import { CallWriter } from '../../src/service/ingest/call-writer'
import type { Store } from '../../src/service/store/store'
import { TurnDeriver } from '../../src/service/derive/turn-deriver'
import { interleavedMedians, type Measurement, median, report } from './report'

const rowsPerInsert = 5000
const spellMs = 1500
const rounds = 3
const syncedTables = ['calls', 'turns', 'turns_by_start', 'threads'] as const

let written = 0
/** A call of about 2 kB; of ten, one is a turn. */
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

/** What reaches the disk: serialised rows beside the engine's own INSERT SELECT, a shared write beside one for each, with and without fsync. */
export async function benchWrites(store: Store): Promise<boolean> {
  await store.command('CREATE TABLE material AS calls ENGINE = Memory')
  const lines = Buffer.concat(Array.from({ length: rowsPerInsert }, () => toCallLine(nextCall())))
  await store.insertLines('material', lines)
  const bulk = await interleavedMedians(
    {
      serialised: () => store.insertLines('calls', lines),
      // Another time of insertion each, or the engine takes them for one block sent again.
      engine: () => store.command('INSERT INTO calls SELECT * REPLACE (now64(6) AS inserted_at) FROM material'),
    },
    7,
  )

  const summary = new TurnDeriver(store)
  const writer = new CallWriter(store, summary)
  const shared = async () => {
    const refusals = await writer.write([nextCall()])
    if (refusals.some((refusal) => refusal)) throw new Error('The bench wrote what cannot be read.')
  }
  const alone = () => store.insertLines('calls', toCallLine(nextCall()))
  const figures: Measurement[] = [
    {
      name: `serialised rows / INSERT SELECT, ${rowsPerInsert.toLocaleString('en')} rows`,
      value: bulk.engine / bulk.serialised,
      unit: 'x',
      target: { least: 0.4 },
    },
    { name: 'serialised rows', value: rowsPerInsert / (bulk.serialised / 1000), unit: 'rows/s' },
  ]
  for (const [writers, least] of [[1], [16], [64, 8], [256, 25]] as const) {
    const rates = { shared: [] as number[], alone: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      rates.shared.push(await perSecond(writers, shared))
      rates.alone.push(await perSecond(writers, alone))
    }
    const gain = median(rates.shared) / median(rates.alone)
    figures.push(
      { name: `${writers} writers, one call each, with turns`, value: median(rates.shared), unit: 'calls/s' },
      {
        name: `${writers} writers: shared / an insert for each`,
        value: gain,
        unit: 'x',
        ...(least !== undefined && { target: { least } }),
      },
    )
  }
  const synced: number[] = []
  const unsynced: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await setSync(store, 0)
    unsynced.push(await perSecond(64, shared))
    await setSync(store, 1)
    synced.push(await perSecond(64, shared))
  }
  figures.push({
    name: '64 writers: with fsync / without',
    value: median(synced) / median(unsynced),
    unit: 'x',
    target: { least: 0.5 },
  })
  await writer.close()
  return report('Writes', figures)
}

/** How often a second `writers` at once get `write` done. */
async function perSecond(writers: number, write: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  let count = 0
  const lane = async () => {
    while (performance.now() - startedAt < spellMs) {
      await write()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: writers }, lane))
  return count / ((performance.now() - startedAt) / 1000)
}

async function setSync(store: Store, value: 0 | 1): Promise<void> {
  for (const table of syncedTables) {
    await store.command(`ALTER TABLE ${table} MODIFY SETTING fsync_after_insert = ${value}, fsync_part_directory = ${value}`)
  }
}
