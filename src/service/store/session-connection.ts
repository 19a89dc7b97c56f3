import { Readable } from 'node:stream'
import type { ClickHouseClientConfigOptions } from '@clickhouse/client'
import type { EngineSession } from './engine-session'
import type { SessionPool } from './session-pool'
import { openSessionStream } from './session-stream'

/** What `createClient` takes in place of HTTP; the client's package does not export the name. */
type Connection = NonNullable<ClickHouseClientConfigOptions['connection']>

const insertPattern = /^INSERT INTO ([A-Za-z_]\w*) FORMAT JSONEachRow$/

/**
 * The client's connection to the embedded engine over a pool of sessions. The connection of the chdb package is not used:
 * after a failed query it answers the next one with the rows of the failed one, it buffers whole results, and it runs all
 * queries with parameters of the process one after the other (seen in chdb 3.4.0). Where it `isCollecting`, a query does not
 * block the thread of the engine when it starts, and its result is in memory.
 */
export function createSessionConnection(pool: SessionPool, isCollecting = false): Connection {
  const run = async (query: string, params: Record<string, unknown> | undefined, signal: AbortSignal | undefined) =>
    withSession(pool, signal, (session) => session.run(query, params))
  const select = async (query: string, params: Record<string, unknown>, signal: AbortSignal | undefined) => {
    if (!isCollecting) return await openSessionStream(pool, query, params, signal)
    const bytes = await withSession(pool, signal, (session) => session.collect(query, params))
    return Readable.from([bytes], { objectMode: false })
  }
  return {
    ping: async () => {
      try {
        await run('SELECT 1', undefined, undefined)
        return { success: true }
      } catch (error) {
        return { success: false, error: error instanceof Error ? error : new Error(String(error)) }
      }
    },
    query: () => Promise.reject(new Error('Rows are read as bytes, by exec.')),
    command: async ({ query, query_params, abort_signal }) => {
      await run(query, query_params, abort_signal)
      return emptyResponse
    },
    exec: async ({ query, values, query_params, clickhouse_settings, abort_signal }) => {
      if (!values) return { ...emptyResponse, stream: await select(query, query_params ?? {}, abort_signal) }
      const table = insertPattern.exec(query.trim())?.[1]
      if (!table) throw new Error('Only INSERT INTO <table> FORMAT JSONEachRow takes values.')
      const lines = await readAllBytes(values)
      const settings = Object.fromEntries(
        Object.entries(clickhouse_settings ?? {}).flatMap(([name, value]) => (isSettingValue(value) ? [[name, value]] : [])),
      )
      await withSession(pool, abort_signal, (session) => session.insert({ table, lines, settings }))
      return { ...emptyResponse, stream: Readable.from([]) }
    },
    insert: () => Promise.reject(new Error('Rows are inserted as bytes, by exec.')),
    close: () => pool.close(),
  }
}

/** The engine has no HTTP and no ids for statements, which are tagged by log_comment. */
const emptyResponse = { query_id: '', response_headers: {}, http_status_code: 200 }

function isSettingValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

async function withSession<T>(
  pool: SessionPool,
  signal: AbortSignal | undefined,
  use: (session: EngineSession) => Promise<T>,
): Promise<T> {
  const session = await pool.acquire(signal)
  let state: 'clean' | 'dirty' = 'dirty'
  try {
    const result = await use(session)
    state = 'clean'
    return result
  } finally {
    pool.release(session, state)
  }
}

async function readAllBytes(values: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of values) {
    const bytes = chunk as Uint8Array // node types the chunks of a byte stream any
    chunks.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
}
