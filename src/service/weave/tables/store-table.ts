import { setImmediate as nextTurn } from 'node:timers/promises'
import { canonicalJson, toDigest } from '../../lib/digest'
import type { Store } from '../../store/store'
import { countRows, readSizes } from './table-rows'

type Row = Readonly<Record<string, unknown>>

// Between two yields the process answers nobody else.
const rowsPerYield = 500
const bytesPerInsert = 4 * 1024 * 1024

/** Stores rows and answers their digests in order. Rows the project has already are not written again. */
export async function storeRows(store: Store, projectId: string, rows: readonly Row[]): Promise<string[]> {
  const digests: string[] = []
  const rowByDigest = new Map<string, Row>()
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerYield === rowsPerYield - 1) await nextTurn()
    const digest = toDigest(canonicalJson(row))
    digests.push(digest)
    rowByDigest.set(digest, row)
  }
  const known = await readSizes(store, projectId, [...rowByDigest.keys()], { lane: 'write' })
  const lines = [...rowByDigest].flatMap(([digest, row]) => (known.has(digest) ? [] : [() => rowLine(projectId, digest, row)]))
  await insertInParts(store, 'table_rows', lines)
  return digests
}

function rowLine(projectId: string, digest: string, row: Row): string {
  const val = JSON.stringify(row)
  return `${JSON.stringify({ project_id: projectId, digest, val, size_bytes: Buffer.byteLength(val) })}\n`
}

/** Stores the table that has these rows in this order; the rows must be stored. Answers its digest. */
export async function storeTable(store: Store, projectId: string, rowDigests: readonly string[]): Promise<string> {
  const digest = toDigest(rowDigests.join(''))
  const known = await countRows(store, projectId, [digest], { lane: 'write' })
  if (known.has(digest)) return digest
  const lines = rowDigests.map(
    (rowDigest, position) => () =>
      `${JSON.stringify({ project_id: projectId, table_digest: digest, position, row_digest: rowDigest })}\n`,
  )
  await insertInParts(store, 'table_positions', lines)
  await store.insert('tables', [{ project_id: projectId, digest, row_count: rowDigests.length }])
  return digest
}

async function insertInParts(store: Store, table: string, lines: readonly (() => string)[]): Promise<void> {
  let part: Buffer[] = []
  let bytes = 0
  for (const [index, lineOf] of lines.entries()) {
    if (index % rowsPerYield === rowsPerYield - 1) await nextTurn()
    const line = Buffer.from(lineOf())
    part.push(line)
    bytes += line.length
    if (bytes < bytesPerInsert && index < lines.length - 1) continue
    await store.insertLines(table, Buffer.concat(part))
    part = []
    bytes = 0
  }
}
