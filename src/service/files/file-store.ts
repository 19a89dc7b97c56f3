import * as z from 'zod'
import type { QueryOptions, Store } from '../store/store'

/** Bytes of content in one row. */
const chunkBytes = 1024 * 1024

const isComplete = `SELECT 1 AS found FROM file_chunks
WHERE project_id = {project_id:String} AND digest = {digest:String}
HAVING count() > 0 AND uniqExact(chunk_index) = max(chunk_count)`

/** Stores a file under the digest of its content; one that is there already is left as it is. */
export async function storeFile(store: Store, projectId: string, digest: string, content: Buffer): Promise<void> {
  const params = { project_id: projectId, digest }
  const known = await store.query(isComplete, params, z.object({ found: z.number() }), { lane: 'write' })
  if (known.length > 0) return
  const count = Math.max(1, Math.ceil(content.length / chunkBytes))
  // Piece by piece, so that no more than one is in memory twice. A file that is cut off here was never acknowledged.
  for (let index = 0; index < count; index += 1) {
    const piece = content.subarray(index * chunkBytes, (index + 1) * chunkBytes)
    const row = { project_id: projectId, digest, chunk_index: index, chunk_count: count, content: piece.toString('base64') }
    await store.insert('file_chunks', [row])
  }
}

const chunksOfFile = `SELECT chunk_index, chunk_count, content FROM file_chunks FINAL
WHERE project_id = {project_id:String} AND digest = {digest:String}
ORDER BY chunk_index`

const ChunkRow = z.object({ chunk_index: z.number(), chunk_count: z.number(), content: z.string() })

/** The content of a file; undefined where the project has none of this digest, or not all of it. */
export async function readFile(
  store: Store,
  projectId: string,
  digest: string,
  options: QueryOptions,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const pieces: Buffer[] = []
  let count = 1
  for await (const rows of store.stream(chunksOfFile, { project_id: projectId, digest }, ChunkRow, options)) {
    for (const row of rows) {
      pieces.push(Buffer.from(row.content, 'base64'))
      count = row.chunk_count
    }
  }
  return pieces.length === count ? Buffer.concat(pieces) : undefined
}
