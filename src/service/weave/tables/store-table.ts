import { DigestBuilder } from '../../lib/digest'
import { TimeSlices } from '../../lib/time-slices'
import type { Store, WriteOptions } from '../../store/store'
import type { RowPortion } from './prepare-table'
import { findTables } from './find-tables'
import { readSizes } from './table-rows'

const bytesPerInsert = 4 * 1024 * 1024
/** To join some is faster than to hash each alone. */
const digestsPerPart = 1000

/** Stores the rows that the project does not have yet. */
export async function storeRows(
  store: Store,
  { projectId, digests, lines, ends }: RowPortion,
  options: WriteOptions,
): Promise<void> {
  const stored = await readSizes(store, projectId, [...new Set(digests)], { ...options, lane: 'write' })
  const known = new Set(stored.keys())
  const missing: Uint8Array[] = []
  for (const [index, digest] of digests.entries()) {
    if (known.has(digest)) continue
    known.add(digest)
    missing.push(lines.subarray(ends[index - 1] ?? 0, ends[index]))
  }
  await store.insertLines('table_rows', missing.length === digests.length ? lines : Buffer.concat(missing), options)
}

/** Stores the table of these rows in this order; the rows are stored already. Returns its digest. */
export async function storeTable(
  store: Store,
  projectId: string,
  rowDigests: readonly string[],
  options: WriteOptions,
): Promise<string> {
  const digest = await toTableDigest(rowDigests)
  const stored = await findTables(store, projectId, [digest], { ...options, lane: 'write' })
  if (stored.has(digest)) return digest
  let batch: string[] = []
  let length = 0
  const slices = new TimeSlices()
  for (const [position, rowDigest] of rowDigests.entries()) {
    if (slices.isOver) await slices.next()
    const line = `${JSON.stringify({ project_id: projectId, table_digest: digest, position, row_digest: rowDigest })}\n`
    batch.push(line)
    length += line.length
    if (length < bytesPerInsert && position < rowDigests.length - 1) continue
    await store.insertLines('table_positions', Buffer.from(batch.join('')), options)
    batch = []
    length = 0
  }
  await store.insert('tables', [{ project_id: projectId, digest, row_count: rowDigests.length }], options)
  return digest
}

async function toTableDigest(rowDigests: readonly string[]): Promise<string> {
  const builder = new DigestBuilder()
  const slices = new TimeSlices()
  for (let start = 0; start < rowDigests.length; start += digestsPerPart) {
    builder.add(rowDigests.slice(start, start + digestsPerPart).join(''))
    if (slices.isOver) await slices.next()
  }
  return builder.toHexDigest()
}
