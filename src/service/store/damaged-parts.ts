import * as z from 'zod/mini'
import type { Store } from './store'
import { StoreError } from './store-error'

/** ACCESS_DENIED of ClickHouse. */
const accessDenied = 497

const DamagedPart = z.object({ table: z.string(), name: z.string(), reason: z.string(), path: z.string() })

/**
 * The engine sets a damaged part of a table aside as it loads and goes on without its rows, silently. Spool refuses to
 * start instead: whoever runs it decides between a backup and going on without.
 */
export async function rejectDamagedParts(store: Store): Promise<void> {
  const parts = await damagedParts(store)
  if (parts.length === 0) return
  const list = parts.map(({ table, name, path }) => `  ${table}: ${name} (${path})`).join('\n')
  throw new StoreError(
    'failed',
    `The store has ${parts.length} damaged ${parts.length === 1 ? 'part' : 'parts'}; rows are missing:\n${list}\n` +
      'Restore the data from a backup. To go on without these rows, move the listed folders away and start again.',
  )
}

async function damagedParts(store: Store): Promise<z.infer<typeof DamagedPart>[]> {
  try {
    return await store.query(
      `SELECT table, name, coalesce(reason, '') AS reason, path FROM system.detached_parts
       WHERE database = currentDatabase() AND (startsWith(coalesce(reason, ''), 'broken') OR reason = 'unexpected')
       ORDER BY table, name`,
      {},
      DamagedPart,
    )
  } catch (error) {
    // On a server the account may not be let into the system tables; its parts are its operator's to watch then.
    if (store.isShared && error instanceof StoreError && error.code === accessDenied) return []
    throw error
  }
}
