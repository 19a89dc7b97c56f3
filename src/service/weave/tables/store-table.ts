import { setImmediate as nextTurn } from 'node:timers/promises'
import { canonicalJson, toDigest } from '../../lib/digest'
import type { Store, WriteOptions } from '../../store/store'
import { countRows, readSizes } from './table-rows'

type TableRow = Readonly<Record<string, unknown>>

// Between two turns of the event loop the process serves no other request.
const rowsPerTurn = 500
const bytesPerInsert = 4 * 1024 * 1024

/** Stores the rows that the project does not have yet. Returns the digests of all, in order. */
export async function storeRows(
  store: Store,
  projectId: string,
  rows: readonly TableRow[],
  options: WriteOptions,
): Promise<string[]> {
  const digests: string[] = []
  const rowByDigest = new Map<string, TableRow>()
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerTurn === rowsPerTurn - 1) await nextTurn()
    const digest = toDigest(canonicalJson(row))
    digests.push(digest)
    rowByDigest.set(digest, row)
  }
  const stored = await readSizes(store, projectId, [...rowByDigest.keys()], { ...options, lane: 'write' })
  const lines = [...rowByDigest].flatMap(([digest, row]) => (stored.has(digest) ? [] : [() => toRowLine(projectId, digest, row)]))
  await insertInBatches(store, 'table_rows', lines, options)
  return digests
}

function toRowLine(projectId: string, digest: string, row: TableRow): string {
  const val = JSON.stringify(row)
  return `${JSON.stringify({ project_id: projectId, digest, val, size_bytes: Buffer.byteLength(val) })}\n`
}

/** Stores the table of these rows in this order; the rows are stored already. Returns its digest. */
export async function storeTable(
  store: Store,
  projectId: string,
  rowDigests: readonly string[],
  options: WriteOptions,
): Promise<string> {
  const digest = toDigest(rowDigests.join(''))
  const stored = await countRows(store, projectId, [digest], { ...options, lane: 'write' })
  if (stored.has(digest)) return digest
  const lines = rowDigests.map(
    (rowDigest, position) => () =>
      `${JSON.stringify({ project_id: projectId, table_digest: digest, position, row_digest: rowDigest })}\n`,
  )
  await insertInBatches(store, 'table_positions', lines, options)
  await store.insert('tables', [{ project_id: projectId, digest, row_count: rowDigests.length }], options)
  return digest
}

/** Inserts JSON lines; each is built only when its batch is. */
async function insertInBatches(
  store: Store,
  table: string,
  lines: readonly (() => string)[],
  options: WriteOptions,
): Promise<void> {
  let batch: Buffer[] = []
  let bytes = 0
  for (const [index, buildLine] of lines.entries()) {
    if (index % rowsPerTurn === rowsPerTurn - 1) await nextTurn()
    const line = Buffer.from(buildLine())
    batch.push(line)
    bytes += line.length
    if (bytes < bytesPerInsert && index < lines.length - 1) continue
    await store.insertLines(table, Buffer.concat(batch), options)
    batch = []
    bytes = 0
  }
}
