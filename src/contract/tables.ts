import * as z from 'zod/mini'
import { maxDigestLength, maxFilterValues, maxJoinedRows } from './limits'
import { boundedList, boundedText, optional, refineAs } from './schema'
import { storedAsSent } from './stored-json'
import { defineEndpoint } from './endpoint'
import { ProjectId } from './project-id'
import { Count, Direction, strictFilter } from './request'
import { isJsonObject } from './json-value'

const maxDigests = 1000
const maxSortKeys = 8

const Digest = boundedText(maxDigestLength)

/** One row: an object. Its content is not parsed, so that the service stores what was sent. */
const TableRow = z
  .custom<Readonly<Record<string, unknown>>>(isJsonObject, {
    error: 'A row must be an object.',
    params: { type: 'dict_type' },
  })
  .check(storedAsSent)

/**
 * Stores a table of rows. Its digest is the SHA-256 of the row digests, concatenated, in hexadecimal digits: SDKs compute the
 * same. The same rows in the same order again are the same table.
 */
export const createTable = defineEndpoint({
  path: '/table/create',
  request: z.object({ table: z.object({ project_id: ProjectId, rows: boundedList(TableRow) }) }),
  response: z.object({ digest: z.string(), row_digests: z.array(z.string()) }),
})

/** Stores a table of rows that the project has already. */
export const createTableFromDigests = defineEndpoint({
  path: '/table/create_from_digests',
  request: z.object({ project_id: ProjectId, row_digests: boundedList(Digest, maxJoinedRows) }),
  response: z.object({ digest: z.string() }),
})

// Not a custom schema: the union would then report only that a change is none of the three.
const Position = z.number().check(
  refineAs<number>('int_from_float', (index) => Number.isSafeInteger(index), 'Must be a whole number.'),
  refineAs<number>('greater_than_equal', (index) => index >= 0, 'Must be a position: 0 or greater.'),
)

/** One change to a table: exactly one of the three. */
const TableChange = z.union(
  [
    z.strictObject({ append: z.object({ row: TableRow }) }),
    z.strictObject({ pop: z.object({ index: Position }) }),
    z.strictObject({ insert: z.object({ index: Position, row: TableRow }) }),
  ],
  { error: 'Expected one of {"append": {"row": {…}}}, {"pop": {"index": N}}, {"insert": {"index": N, "row": {…}}}.' },
)
export type TableChange = z.infer<typeof TableChange>

/** Stores a copy of a table with changes, applied one after another. */
export const updateTable = defineEndpoint({
  path: '/table/update',
  request: z.object({ project_id: ProjectId, base_digest: Digest, updates: boundedList(TableChange) }),
  response: z.object({ digest: z.string(), updated_row_digests: z.array(z.string()) }),
})

const DatasetRow = z.object({
  digest: z.string(),
  val: z.unknown(),
  /** From 0. */
  original_index: z.number(),
})
export type DatasetRow = z.infer<typeof DatasetRow>

const RowSortKey = z.strictObject({
  /** Keys separated by dots. */
  field: z
    .string()
    .check(refineAs<string>('value_error', isPath, 'Must be keys separated by dots, such as question or expected.label.')),
  direction: Direction,
})
export type RowSortKey = z.infer<typeof RowSortKey>

function isPath(field: string): boolean {
  const parts = field.split('.')
  return parts.length <= 16 && parts.every((part) => part !== '')
}

/**
 * The rows of a table, in the table's order unless sorted; none of a table that the project does not have, as in W&B Weave.
 * A field sorts numbers first, then text, then missing values.
 */
export const queryTable = defineEndpoint({
  path: '/table/query',
  request: z.object({
    project_id: ProjectId,
    digest: Digest,
    filter: optional(strictFilter({ row_digests: optional(boundedList(Digest, maxFilterValues)) })),
    limit: Count,
    offset: Count,
    sort_by: optional(boundedList(RowSortKey, maxSortKeys)),
  }),
  response: z.object({ rows: z.array(DatasetRow) }),
})

/** Counts the rows of a table; 0 where the project does not have it. */
export const countTableRows = defineEndpoint({
  path: '/table/query_stats',
  request: z.object({ project_id: ProjectId, digest: Digest }),
  response: z.object({ count: z.number() }),
})

/** Counts the rows of several tables. Tables that the project does not have are left out. */
export const countRowsOfTables = defineEndpoint({
  path: '/table/query_stats_batch',
  request: z.object({ project_id: ProjectId, digests: optional(boundedList(Digest, maxDigests)) }),
  response: z.object({ tables: z.array(z.object({ digest: z.string(), count: z.number() })) }),
})
