import * as z from 'zod/mini'
import { sql } from './sql'
import type { Store } from './store'
import { StoreError } from './store-error'

/** ACCESS_DENIED of ClickHouse. */
const accessDenied = 497

const DamagedPart = z.object({ table: z.string(), name: z.string(), reason: z.string(), path: z.string() })

/**
 * While it loads a table, the engine sets damaged parts aside and goes on without their rows, silently. Spool does not start
 * then: the operator decides whether to restore a backup or to go on without these rows.
 */
export async function rejectDamagedParts(store: Store): Promise<void> {
  const parts = await readDamagedParts(store)
  if (parts.length === 0) return
  const list = parts.map(({ table, name, path }) => `  ${table}: ${name} (${path})`).join('\n')
  throw new StoreError(
    'failed',
    `The store has ${parts.length} damaged ${parts.length === 1 ? 'part' : 'parts'}; rows are missing:\n${list}\n` +
      'Restore the data from a backup. To go on without these rows, move the listed folders away and start again.',
  )
}

async function readDamagedParts(store: Store): Promise<z.infer<typeof DamagedPart>[]> {
  try {
    return await store.query(
      sql`
SELECT table, name, coalesce(reason, '') AS reason, path FROM system.detached_parts
WHERE database = currentDatabase() AND (startsWith(coalesce(reason, ''), 'broken') OR reason = 'unexpected')
ORDER BY table, name`,
      DamagedPart,
    )
  } catch (error) {
    // On a server the account may have no access to the system tables; its operator watches the parts then.
    if (store.isShared && error instanceof StoreError && error.code === accessDenied) return []
    throw error
  }
}
