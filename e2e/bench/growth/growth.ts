import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { sql } from '../../../src/service/store/sql'
import type { Store } from '../../../src/service/store/store'
import { SpoolService } from '../../spool-service'
import { KeepAliveClient } from '../keep-alive-client'
import { findServiceProcessId, readResidentMegabytes, whileServiceRuns } from '../service-process'
import { checkDerived } from './check-derived'
import { reportGrowth, type SizeFigures } from './growth-table'
import { measureBaselines, measureFloors } from './floors'
import { loadNarrowCalls, waitForMerges } from './load-narrow'
import { measurePages, readFirstPages, type Samples, sampleTurns } from './pages'

const sizes = [100_000, 1_000_000, 10_000_000, 100_000_000]
const checkedCalls = 20_000
const user = { SPOOL_USERNAME: 'bench', SPOOL_PASSWORD: 'a password for the bench' }

/** `withStore` opens a store in a folder below `parent` by its name, with nearly all memory. */
export async function benchGrowth(
  maxCalls: number,
  parent: string,
  withStore: (name: string, use: (store: Store) => Promise<boolean>) => Promise<boolean>,
): Promise<boolean> {
  const isLoadExact = await withStore('growth-check', (store) => checkDerived(store, join(parent, 'growth-check'), checkedCalls))
  const folder = join(parent, 'growth')
  const measured: SizeFigures[] = []
  let loaded = 0
  // One store that grows, as a user's does.
  for (const calls of sizes.filter((size) => size <= maxCalls)) {
    const figures: SizeFigures = { calls, pages: {}, others: {} }
    let turns: Samples = { timed: [], random: [] }
    await withStore('growth', async (store) => {
      const startedAt = performance.now()
      await loadNarrowCalls(store, folder, loaded, calls)
      await waitForMerges(store)
      loaded = calls
      console.log(
        `\nGrown to ${calls.toLocaleString('en')} calls in ${((performance.now() - startedAt) / 1000).toFixed(0)} s, merges included`,
      )
      turns = await sampleTurns(store, calls)
      figures.others['on disk per million calls, MB'] = (await readBytesOnDisk(store)) / calls
      Object.assign(
        figures.others,
        prefixed('floor: ', await measureFloors(store, calls)),
        prefixed('baseline: ', await measureBaselines(folder)),
      )
      return true
    })
    // The disk is still busy with what was loaded. A user's calls are on it one by one.
    execFileSync('sync')
    const startedAt = performance.now()
    const service = await SpoolService.start({ ...user, SPOOL_DATA: folder, SPOOL_SAMPLE: 'off' })
    const client = new KeepAliveClient(service.url, `Basic ${btoa(`${user.SPOOL_USERNAME}:${user.SPOOL_PASSWORD}`)}`, 1)
    try {
      figures.others['start until ready, ms'] = performance.now() - startedAt
      await whileServiceRuns(service, async () => {
        figures.others['first page after the start, ms'] = await readFirstPages(client, calls, turns)
        figures.others['memory after the first pages, MB'] = readResidentMegabytes(findServiceProcessId(service.processId))
        Object.assign(figures.pages, await measurePages(client, calls, turns))
        figures.others['memory after all pages, MB'] = readResidentMegabytes(findServiceProcessId(service.processId))
      })
    } finally {
      client.close()
      await service.stop()
    }
    measured.push(figures)
  }
  return reportGrowth(measured) && isLoadExact
}

function prefixed(prefix: string, figures: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [prefix + name, value]))
}

const Bytes = z.object({ bytes: z.coerce.number() })

async function readBytesOnDisk(store: Store): Promise<number> {
  const [row] = await store.query(sql`SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active`, Bytes)
  return row?.bytes ?? Number.NaN
}
