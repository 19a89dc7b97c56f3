import * as z from 'zod'
import type { QueryOptions, QueryParams, Store } from '../../store/store'

/** Bytes of content in one row. */
const chunkBytes = 1024 * 1024

const chunkCountOfFile = `SELECT max(chunk_count) AS pieces FROM file_chunks
WHERE project_id = {project_id:String} AND digest = {digest:String}
HAVING count() > 0 AND uniqExact(chunk_index) = max(chunk_count)`

/** How many pieces a file has; undefined where they are not all there. */
async function countChunks(store: Store, params: QueryParams, options: QueryOptions): Promise<number | undefined> {
  const [file] = await store.query(chunkCountOfFile, params, z.object({ pieces: z.number() }), options)
  return file?.pieces
}

/** Stores a file under the digest of its content; one that is there already is left as it is. */
export async function storeFile(store: Store, projectId: string, digest: string, content: Buffer): Promise<void> {
  const params = { project_id: projectId, digest }
  if ((await countChunks(store, params, { lane: 'write' })) !== undefined) return
  const count = Math.max(1, Math.ceil(content.length / chunkBytes))
  // Piece by piece, so that no more than one is in memory twice. A file that is cut off here was never acknowledged.
  for (let index = 0; index < count; index += 1) {
    const piece = content.subarray(index * chunkBytes, (index + 1) * chunkBytes)
    const row = { project_id: projectId, digest, chunk_index: index, chunk_count: count, content: piece.toString('base64') }
    await store.insert('file_chunks', [row])
  }
}

const chunkOfFile = `SELECT content FROM file_chunks
WHERE project_id = {project_id:String} AND digest = {digest:String} AND chunk_index = {chunk_index:UInt32}
LIMIT 1`

/** The content of a file; undefined where the project has none of this digest, or not all of it. */
export async function readFile(
  store: Store,
  projectId: string,
  digest: string,
  options: QueryOptions,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const params = { project_id: projectId, digest }
  const count = await countChunks(store, params, options)
  if (count === undefined) return undefined
  const pieces: Buffer[] = []
  // Piece by piece: the engine would hold several copies of what one statement answers with.
  for (let index = 0; index < count; index += 1) {
    const chunk = { ...params, chunk_index: index }
    const [row] = await store.query(chunkOfFile, chunk, z.object({ content: z.string() }), options)
    if (row) pieces.push(Buffer.from(row.content, 'base64'))
  }
  return pieces.length === count ? Buffer.concat(pieces) : undefined
}
