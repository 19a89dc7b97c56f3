import * as z from 'zod/mini'
import { sql, uint64 } from '../../store/sql'
import type { QueryOptions, Store, WriteOptions } from '../../store/store'

/** Bytes of content in one row. */
const chunkBytes = 1024 * 1024

const ChunkCount = z.object({ chunkCount: z.number() })
const Chunk = z.object({ content: z.string() })

/** The number of chunks of a file; undefined where one of them is missing. */
async function countChunks(store: Store, projectId: string, digest: string, options: QueryOptions): Promise<number | undefined> {
  const statement = sql`SELECT max(chunk_count) AS chunkCount FROM file_chunks
WHERE project_id = ${projectId} AND digest = ${digest}
HAVING count() > 0 AND uniqExact(chunk_index) = max(chunk_count)`
  const [file] = await store.query(statement, ChunkCount, options)
  return file?.chunkCount
}

/** Stores a file under the digest of its content, unless the project has it already. */
export async function storeFile(
  store: Store,
  projectId: string,
  digest: string,
  content: Buffer,
  options: WriteOptions,
): Promise<void> {
  if ((await countChunks(store, projectId, digest, { ...options, lane: 'write' })) !== undefined) return
  const count = Math.max(1, Math.ceil(content.length / chunkBytes))
  // One chunk at a time, so that only one is in memory twice. A file whose storing is interrupted was never acknowledged.
  for (let index = 0; index < count; index += 1) {
    const chunk = content.subarray(index * chunkBytes, (index + 1) * chunkBytes)
    const row = { project_id: projectId, digest, chunk_index: index, chunk_count: count, content: chunk.toString('base64') }
    await store.insert('file_chunks', [row], options)
  }
}

/** The content of a file; undefined where the project does not have all of it. */
export async function readFile(
  store: Store,
  projectId: string,
  digest: string,
  options: QueryOptions,
): Promise<Buffer<ArrayBuffer> | undefined> {
  const count = await countChunks(store, projectId, digest, options)
  if (count === undefined) return undefined
  const chunks: Buffer[] = []
  // One chunk at a time: the engine would hold several copies of the whole result.
  for (let index = 0; index < count; index += 1) {
    const statement = sql`SELECT content FROM file_chunks
WHERE project_id = ${projectId} AND digest = ${digest} AND chunk_index = ${uint64(index)}
LIMIT 1`
    const [chunk] = await store.query(statement, Chunk, options)
    if (chunk) chunks.push(Buffer.from(chunk.content, 'base64'))
  }
  return chunks.length === count ? Buffer.concat(chunks) : undefined
}
