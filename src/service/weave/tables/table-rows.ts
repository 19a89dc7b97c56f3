import * as z from 'zod'
import type { DatasetRow } from '../../../contract/tables'
import { maxResponseRows, requireResponseFits } from '../../http/response-size'
import type { QueryOptions, Store } from '../../store/store'

/** Which rows of one table, in its own order. */
export type RowRange = {
  projectId: string
  digest: string
  /** [] for all. */
  rowDigests?: readonly string[] | undefined
  limit?: number | undefined
  offset?: number | undefined
}

const CountRow = z.object({ digest: z.string(), row_count: z.number() })

/** How many rows each of these tables has; those that the project does not have are left out. */
export async function countRows(
  store: Store,
  projectId: string,
  digests: readonly string[],
  options: QueryOptions = {},
): Promise<Map<string, number>> {
  const sql = `SELECT digest, row_count FROM tables FINAL
WHERE project_id = {project_id:String} AND digest IN {digests:Array(String)}`
  const rows = await store.query(sql, { project_id: projectId, digests }, CountRow, options)
  return new Map(rows.map(({ digest, row_count: count }) => [digest, count]))
}

const PlaceRow = z.object({ position: z.number(), row_digest: z.string() })
export type PlaceRow = z.infer<typeof PlaceRow>

const places = `SELECT position, row_digest FROM table_positions FINAL
WHERE project_id = {project_id:String} AND table_digest = {digest:String}`
const allPlaces = `${places} ORDER BY position`
// Positions have no gaps, so a page is a range of them: nothing before it is read.
const placesOfPage = `${places} AND position >= {from:UInt64} AND position < {to:UInt64} ORDER BY position`
const placesOfRows = `${places} AND row_digest IN {row_digests:Array(String)}
ORDER BY position LIMIT {limit:UInt64} OFFSET {offset:UInt64}`

/** Where each row of a range stands, without the rows themselves. */
export async function readPlaces(store: Store, range: RowRange, options: QueryOptions = {}): Promise<PlaceRow[]> {
  const { projectId, digest, rowDigests = [], offset = 0 } = range
  const params = { project_id: projectId, digest }
  const limit = Math.min(range.limit ?? Infinity, maxResponseRows + 1)
  return rowDigests.length > 0
    ? store.query(placesOfRows, { ...params, row_digests: rowDigests, limit, offset }, PlaceRow, options)
    : store.query(placesOfPage, { ...params, from: offset, to: offset + limit }, PlaceRow, options)
}

/** The whole table's row digests in order. */
export async function readRowDigests(store: Store, projectId: string, digest: string): Promise<string[]> {
  const rows = await store.query(allPlaces, { project_id: projectId, digest }, PlaceRow)
  return rows.map((row) => row.row_digest)
}

const advice = "Set a smaller 'limit' and page by 'offset'."
// Digests travel as parameters; this many at once keep a statement small.
const digestsPerQuery = 10_000

const SizeRow = z.object({ digest: z.string(), size_bytes: z.string().transform(Number) })
const ValueRow = z.object({ digest: z.string(), val: z.string() })

const rowsByDigest =
  'FROM table_rows WHERE project_id = {project_id:String} AND digest IN {digests:Array(String)} GROUP BY digest'
const sizes = `SELECT digest, any(table_rows.size_bytes) AS size_bytes ${rowsByDigest}`
const values = `SELECT digest, any(table_rows.val) AS val ${rowsByDigest}`

/** The sizes, in bytes of JSON, of those rows that the project has. */
export async function readSizes(store: Store, projectId: string, digests: readonly string[], options: QueryOptions = {}) {
  const found = new Map<string, number>()
  for (const some of inParts(digests)) {
    const rows = await store.query(sizes, { project_id: projectId, digests: some }, SizeRow, options)
    for (const { digest, size_bytes: bytes } of rows) found.set(digest, bytes)
  }
  return found
}

/** The contents of those rows that the project has. Refuses (422) more than fits the memory. */
export async function readRowValues(
  store: Store,
  projectId: string,
  digests: readonly string[],
  options: QueryOptions = {},
): Promise<Map<string, unknown>> {
  const unique = [...new Set(digests)]
  const bytesOf = await readSizes(store, projectId, unique, options)
  // A row that stands at several places is answered as often.
  const bytes = digests.reduce((sum, digest) => sum + (bytesOf.get(digest) ?? 0), 0)
  requireResponseFits({ rows: digests.length, bytes }, advice)
  const found = new Map<string, unknown>()
  for (const some of inParts(unique)) {
    const rows = await store.query(values, { project_id: projectId, digests: some }, ValueRow, options)
    for (const { digest, val } of rows) found.set(digest, JSON.parse(val))
  }
  return found
}

/** The rows at these places of a table of this project. */
export async function readRows(
  store: Store,
  projectId: string,
  at: readonly PlaceRow[],
  options: QueryOptions = {},
): Promise<DatasetRow[]> {
  const found = await readRowValues(
    store,
    projectId,
    at.map((place) => place.row_digest),
    options,
  )
  return at.map(({ position, row_digest: digest }) => ({ digest, val: found.get(digest), original_index: position }))
}

function* inParts(digests: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < digests.length; from += digestsPerQuery) yield digests.slice(from, from + digestsPerQuery)
}
