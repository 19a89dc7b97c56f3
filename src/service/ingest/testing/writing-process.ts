// Writes turns until it is killed and prints the id of each acknowledged write. Turns with even numbers are also ended.
import { join } from 'node:path'
import { openStore } from '../../store/open-store'
import { TurnDeriver } from '../../derive/turn-deriver'
import { openInsertClock } from '../../derive/watermark'
import { CallWriter } from '../call-writer'
import { CallJournal } from '../journal/call-journal'
import { JournaledWriter } from '../journaled-writer'
import { recoverDerived } from '../../derive/recover-derived'
import { rebuildDerived } from '../../derive/rebuild-derived'
import { silentLogger } from '../../testing/silent-logger'

const [folder = '', prefix = ''] = process.argv.slice(2)
const concurrentWriters = 16

const store = await openStore({ folder }, rebuildDerived)
const deriver = new TurnDeriver({ store, insertClock: await openInsertClock(store, () => Date.now()), logger: silentLogger })
const journal = await CallJournal.open(join(folder, 'journal'), silentLogger)
const direct = new CallWriter(store, deriver, { delays: { maxMs: 100, maxQuietMs: 100 } })
const writer = new JournaledWriter({ store, writer: direct, journal, logger: silentLogger })
writer.replay()
await recoverDerived(store, deriver)

async function writeForever(lane: number): Promise<void> {
  for (let index = 0; ; index += 1) {
    const id = `${prefix}-${lane}-${index}`
    const call = { project_id: 'crash/p', id, turn_id: id, thread_id: `thread-${lane}`, op_name: 'answer' }
    await writer.write([{ ...call, started_at: '2026-01-01T00:00:00Z', inputs: { text: 'x'.repeat(500) } }])
    if (index % 2 === 0) await writer.write([{ project_id: 'crash/p', id, ended_at: '2026-01-01T00:00:01Z' }])
    process.stdout.write(`${id}\n`) // to a pipe it is synchronous on Linux and macOS
  }
}

await Promise.all(Array.from({ length: concurrentWriters }, (_, lane) => writeForever(lane)))
