import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type ClickHouseClient, drainStream } from '@clickhouse/client'
import * as z from 'zod/mini'
import { insertSettings, settingsClause } from './statement-settings'
import { renderSql, type Sql } from './sql'
import type { QueryOptions, QueryParams, Store } from './store'
import { toStoreError, StoreError } from './store-error'

/** Clients of one ClickHouse: readers and writers never wait for each other, and control is free when both are busy. */
export type Clients = { readers: ClickHouseClient; writers: ClickHouseClient; control: ClickHouseClient }

const ofQuery = { max_execution_time: 30 }
/**
 * A list that is streamed out may have a slow reader. Up to seventeen blocks of it wait in memory (the client's own buffer
 * among them); with the engine's default of 65,409 rows that would be a million.
 */
const ofStream = { max_execution_time: 300, max_block_size: 2048 }
/** Most statements that are given up end by themselves before this is over. */
const killDelayMs = 25
/** Rebuilding what is derived reads a whole table. */
const ofCommand = { max_execution_time: 600 }

/**
 * A store over the ClickHouse client. `name` is no other store's, letters, digits and hyphens only: its statements carry it
 * in `log_comment`, so that they can be ended. (The embedded engine knows no query_id.)
 */
export function createClientStore(clients: Clients, isShared: boolean, name: string): Store {
  let statementCount = 0
  const createTag = () => `${name}-${(statementCount += 1)}`

  // Many may be given up at once, and each KILL looks at all that runs: those that come while one is under way share the next.
  let toKill = new Set<string>()
  let killing: Promise<void> | undefined
  const killAll = async () => {
    for (;;) {
      await wait(killDelayMs)
      const tags = [...toKill]
      if (tags.length === 0) break
      toKill = new Set()
      try {
        const list = tags.map((tag) => `'${tag}'`).join(', ')
        await clients.control.command({ query: `KILL QUERY WHERE Settings['log_comment'] IN (${list}) ASYNC` })
      } catch {
        // The statements are bound by max_execution_time all the same.
      }
    }
    killing = undefined
  }
  const kill = (tag: string) => {
    toKill.add(tag)
    killing ??= killAll()
  }

  async function* stream<Row extends z.core.SomeType>(
    sql: string,
    params: QueryParams,
    row: Row,
    { signal, lane = 'read', maxResultBytes }: QueryOptions,
    own: typeof ofQuery | typeof ofStream,
  ): AsyncGenerator<z.infer<Row>[]> {
    const tag = createTag()
    const client = lane === 'read' ? clients.readers : clients.writers
    const rowParser = z.array(row)
    const endEarly = () => kill(tag)
    let isComplete = false
    signal?.addEventListener('abort', endEarly, { once: true })
    try {
      if (signal?.aborted) throw new StoreError('aborted', 'The statement was given up before it began.')
      const result = await client.query({
        query: `${sql}\n${settingsClause(tag, maxResultBytes === undefined ? own : { ...own, max_result_bytes: maxResultBytes })}`,
        query_params: { ...params },
        format: 'JSONEachRow',
        ...(signal ? { abort_signal: signal } : {}),
      })
      for await (const batch of result.stream()) {
        if (signal?.aborted) throw new StoreError('aborted', 'The statement was given up.')
        yield z.parse(
          rowParser,
          batch.map((each) => each.json()),
        )
      }
      isComplete = true
    } catch (error) {
      // A signal ends the wait and not the statement.
      isComplete = !signal?.aborted
      throw signal?.aborted ? new StoreError('aborted', 'The statement was given up.', { cause: error }) : toStoreError(error)
    } finally {
      signal?.removeEventListener('abort', endEarly)
      if (isComplete) toKill.delete(tag)
      else kill(tag)
    }
  }

  const insertLines = async (table: string, lines: Uint8Array) => {
    if (lines.length === 0) return
    try {
      const result = await clients.writers.exec({
        query: `INSERT INTO ${table} FORMAT JSONEachRow`,
        values: Readable.from([lines], { objectMode: false }),
        clickhouse_settings: insertSettings(createTag()),
      })
      await drainStream(result.stream)
    } catch (error) {
      throw toStoreError(error)
    }
  }

  const run = (args: readonly unknown[], own: typeof ofQuery | typeof ofStream) => {
    const { text, params, rest } = normalized(args)
    const [row, options = {}] = rest as [z.core.SomeType, QueryOptions?]
    return stream(text, params, row, options, own)
  }
  const store = {
    isShared,
    query: async (...args: readonly unknown[]) => {
      const batches = []
      for await (const batch of run(args, ofQuery)) batches.push(batch)
      return batches.flat()
    },
    stream: (...args: readonly unknown[]) => run(args, ofStream),
    insert: (table: string, rows: readonly object[]) =>
      insertLines(table, Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))),
    insertLines,
    command: async (...args: readonly unknown[]) => {
      const { text: sql, params } = normalized(args.length > 1 ? args : [args[0], {}])
      const hasSettings = /^\s*INSERT\b/.test(sql)
      try {
        await clients.writers.command({
          query: hasSettings ? `${sql}\n${settingsClause(createTag(), ofCommand)}` : sql,
          query_params: { ...params },
        })
      } catch (error) {
        throw toStoreError(error)
      }
    },
    close: async () => {
      try {
        await clients.control.command({ query: `KILL QUERY WHERE startsWith(Settings['log_comment'], '${name}-') ASYNC` })
      } catch {
        // Closing waits for the statements then.
      }
      await clients.readers.close()
      await clients.writers.close()
      await clients.control.close()
    },
  }
  return store as Store
}

// Both forms of a statement, until the last caller writes SQL with the tag.
function normalized([statement, ...rest]: readonly unknown[]): { text: string; params: QueryParams; rest: unknown[] } {
  if (typeof statement === 'string') return { text: statement, params: rest[0] as QueryParams, rest: rest.slice(1) }
  const { text, params } = renderSql(statement as Sql)
  return { text, params, rest }
}
