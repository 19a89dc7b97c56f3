import { pino } from 'pino'
import * as z from 'zod/mini'
import { DerivationBehindError } from '../../../src/service/derive/derivation-behind-error'
import { rebuildDerived } from '../../../src/service/derive/rebuild-derived'
import { TurnDeriver } from '../../../src/service/derive/turn-deriver'
import { GrowingClock } from '../../../src/service/lib/growing-clock'
import { SpendDeriver } from '../../../src/service/spend/spend-deriver'
import type { DerivedTable } from '../../../src/service/store/migrate'
import { identifier, sql } from '../../../src/service/store/sql'
import type { Store } from '../../../src/service/store/store'
import { SearchDeriver } from '../../../src/service/threads/search/search-deriver'
import { report } from '../report'
import { loadNarrowCalls } from './load-narrow'

/** What the loader fills beside `calls`. */
const tables = [
  'call_starts',
  'trace_calls',
  'thread_calls',
  'thread_words',
  'spent_calls',
  'turns',
  'turns_by_start',
  'threads',
] as const satisfies readonly DerivedTable[]

/** Compares what the loader writes into an empty store with what the service derives from the same calls. */
export async function checkDerived(store: Store, folder: string, calls: number): Promise<boolean> {
  await loadNarrowCalls(store, folder, 0, calls)
  const loaded = await digestTables(store)
  await rebuildDerived(store, new Set([...tables, 'spent_before', 'searched_before']))
  await deriveTraces(store)
  const derived = await digestTables(store)
  return report(
    `The tables that the loader fills, and the same derived by the service from ${calls.toLocaleString('en')} calls`,
    [
      ...tables.map((table) => ({ name: `${table}: rows`, value: derived[table].rows, unit: '' })),
      {
        name: 'tables that differ',
        value: tables.filter((table) => loaded[table].digest !== derived[table].digest).length,
        unit: '',
        target: { max: 0 },
      },
    ],
  )
}

const ProjectRow = z.object({ project_id: z.string() })

async function deriveTraces(store: Store): Promise<void> {
  const logger = pino({ level: 'error' }, pino.destination(2))
  const deriver = new TurnDeriver({ store, insertClock: new GrowingClock(() => Date.now()), logger })
  const derivers = [new SpendDeriver({ store, deriver, logger }), new SearchDeriver({ store, deriver, logger })]
  for (const { project_id: projectId } of await store.query(sql`SELECT DISTINCT project_id FROM calls`, ProjectRow)) {
    for (const each of derivers) {
      for (let isBehind = true; isBehind;) {
        isBehind = await each.flush(projectId).then(
          () => false,
          (error: unknown) => {
            // A reader waits for some seconds only.
            if (error instanceof DerivationBehindError) return true
            throw error
          },
        )
      }
    }
  }
}

type Digest = { rows: number; digest: string }
const DigestRow = z.object({ rows: z.coerce.number(), digest: z.string() })

/** All columns but the time of a row, which no reader sees. */
async function digestTables(store: Store): Promise<Record<(typeof tables)[number], Digest>> {
  const digests: [string, Digest][] = []
  for (const table of tables) {
    const columns = table === 'turns' ? sql`* EXCEPT inserted_at` : sql`*`
    const [digest] = await store.query(
      sql`SELECT count() AS rows, toString(sum(cityHash64(tuple(${columns})))) AS digest FROM ${identifier(table)} FINAL`,
      DigestRow,
    )
    if (!digest) throw new Error(`The table ${table} could not be read.`)
    digests.push([table, digest])
  }
  return Object.fromEntries(digests) as Record<(typeof tables)[number], Digest> // one entry for each table
}
