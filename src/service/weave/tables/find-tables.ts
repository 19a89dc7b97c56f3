import * as z from 'zod/mini'
import { hexToDigest } from '../../lib/digest'
import { sql } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'

/** A table of the project. `digest` is the one that it is stored under. */
export type StoredTable = { digest: string; rowCount: number }

const TableRow = z.object({ digest: z.string(), row_count: z.number() })

/**
 * The tables of these digests. Tables that the project does not have are left out. Older versions of this service wrote the
 * same SHA-256 as base64url, so a table of theirs is found by both digests and does not have to be stored again.
 */
export async function findTables(
  store: Store,
  projectId: string,
  digests: readonly string[],
  options: QueryOptions = {},
): Promise<Map<string, StoredTable>> {
  const olderByDigest = new Map(digests.map((digest) => [digest, hexToDigest(digest)]))
  const wanted = [...olderByDigest].flatMap(([digest, older]) => (older === undefined ? [digest] : [digest, older]))
  const statement = sql`SELECT digest, row_count FROM tables FINAL WHERE project_id = ${projectId} AND digest IN ${wanted}`
  const rows = await store.query(statement, TableRow, options)
  const stored = new Map(rows.map(({ digest, row_count: rowCount }) => [digest, { digest, rowCount }]))
  return new Map(
    [...olderByDigest].flatMap(([digest, older]) => {
      const table = stored.get(digest) ?? stored.get(older ?? '')
      return table ? [[digest, table] as const] : []
    }),
  )
}
