import * as z from 'zod/mini'
import type { DatasetRow } from '../../../contract/tables'
import { maxResponseRows, requireResponseFits } from '../../http/response-size'
import { JsonText } from '../../lib/json-text'
import { limitOffset } from '../../store/limit-offset'
import { count } from '../../store/row-types'
import { type Sql, sql, uint64 } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'

/** Which rows of one table, in the table's order. */
export type RowRange = {
  projectId: string
  /** Under which the table is stored. */
  digest: string
  /** [] for all. */
  rowDigests?: readonly string[] | undefined
  limit?: number | undefined
  offset?: number | undefined
}

/** Where a row stands in a table, without its content. */
export const RowPosition = z.object({ position: z.number(), row_digest: z.string() })
export type RowPosition = z.infer<typeof RowPosition>

function selectPositions(projectId: string, digest: string): Sql {
  return sql`SELECT position, row_digest FROM table_positions FINAL
WHERE project_id = ${projectId} AND table_digest = ${digest}`
}

/** The positions of a range. */
export async function readPositions(store: Store, range: RowRange, options: QueryOptions = {}): Promise<RowPosition[]> {
  const { projectId, digest, rowDigests = [], offset = 0 } = range
  const limit = Math.min(range.limit ?? Infinity, maxResponseRows + 1)
  const condition =
    rowDigests.length > 0
      ? sql`AND row_digest IN ${rowDigests} ORDER BY position ${limitOffset({ limit, offset })}`
      : // Positions have no gaps, so a page is a range of positions: the engine reads nothing before it.
        sql`AND position >= ${uint64(offset)} AND position < ${uint64(offset + limit)} ORDER BY position`
  return store.query(sql`${selectPositions(projectId, digest)} ${condition}`, RowPosition, options)
}

/** The row digests of the whole table, in order. */
export async function readRowDigests(store: Store, projectId: string, digest: string, options: QueryOptions): Promise<string[]> {
  const rows = await store.query(sql`${selectPositions(projectId, digest)} ORDER BY position`, RowPosition, options)
  return rows.map((row) => row.row_digest)
}

const sizeAdvice = "Set a smaller 'limit' and page by 'offset'."
// The engine binds the digests on the event loop: 2500 take about 10 ms of it.
const maxDigestsPerQuery = 2500

const SizeRow = z.object({ digest: z.string(), size_bytes: count })
const ValueRow = z.object({ digest: z.string(), val: z.string() })

function fromRows(projectId: string, digests: readonly string[]): Sql {
  return sql`FROM table_rows WHERE project_id = ${projectId} AND digest IN ${digests} GROUP BY digest`
}

/** The sizes, in bytes of JSON, of the rows that the project has. */
export async function readSizes(
  store: Store,
  projectId: string,
  digests: readonly string[],
  options: QueryOptions = {},
): Promise<Map<string, number>> {
  const sizeByDigest = new Map<string, number>()
  for (const batch of toBatches(digests)) {
    const statement = sql`SELECT digest, any(table_rows.size_bytes) AS size_bytes ${fromRows(projectId, batch)}`
    for (const row of await store.query(statement, SizeRow, options)) sizeByDigest.set(row.digest, row.size_bytes)
  }
  return sizeByDigest
}

/** The contents of the rows that the project has. Throws (422) where the response would not fit into memory. */
export async function readRowValues(
  store: Store,
  projectId: string,
  digests: readonly string[],
  options: QueryOptions = {},
): Promise<Map<string, JsonText>> {
  const unique = [...new Set(digests)]
  const sizeByDigest = await readSizes(store, projectId, unique, options)
  // A row that occurs several times is in the response as often.
  const bytes = digests.reduce((sum, digest) => sum + (sizeByDigest.get(digest) ?? 0), 0)
  requireResponseFits({ rows: digests.length, bytes }, sizeAdvice)
  const valueByDigest = new Map<string, JsonText>()
  for (const batch of toBatches(unique)) {
    const statement = sql`SELECT digest, any(table_rows.val) AS val ${fromRows(projectId, batch)}`
    for (const { digest, val } of await store.query(statement, ValueRow, options)) valueByDigest.set(digest, new JsonText(val))
  }
  return valueByDigest
}

/** The rows at these positions of a table. */
export async function readTableRows(
  store: Store,
  projectId: string,
  positions: readonly RowPosition[],
  options: QueryOptions = {},
): Promise<DatasetRow[]> {
  const digests = positions.map((row) => row.row_digest)
  const valueByDigest = await readRowValues(store, projectId, digests, options)
  return positions.map(({ position, row_digest: digest }) => ({
    digest,
    val: valueByDigest.get(digest),
    original_index: position,
  }))
}

function* toBatches(digests: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < digests.length; start += maxDigestsPerQuery) {
    yield digests.slice(start, start + maxDigestsPerQuery)
  }
}
