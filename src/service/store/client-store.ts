import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type ClickHouseClient, drainStream } from '@clickhouse/client'
import * as z from 'zod/mini'
import { renderSql, type Sql } from './sql'
import { insertSettings, settingsClause } from './statement-settings'
import type { QueryOptions, Store } from './store'
import { toStoreError, StoreError } from './store-error'

/** Clients of one ClickHouse: readers and writers never wait for each other, and control is free when both are busy. */
export type Clients = { readers: ClickHouseClient; writers: ClickHouseClient; control: ClickHouseClient }

type RunSettings = { max_execution_time: number; max_block_size?: number }

const querySettings: RunSettings = { max_execution_time: 30 }
/**
 * A stream may have a slow reader. Up to seventeen blocks of it wait in memory, including the buffer of the client. With
 * the engine's default block of 65,409 rows that would be a million rows.
 */
const streamSettings: RunSettings = { max_execution_time: 300, max_block_size: 2048 }
/** Rebuilding a derived table reads a whole table. */
const commandSettings: RunSettings = { max_execution_time: 600 }
/** Most aborted statements end by themselves within this time. */
const killDelayMs = 25

/**
 * A store over the ClickHouse client. `name` must be unique to it, of letters, digits and hyphens: its statements carry it
 * in `log_comment`, so that they can be killed. (The embedded engine knows no query_id.)
 */
export function createClientStore(clients: Clients, isShared: boolean, name: string): Store {
  let statementCount = 0
  const createTag = () => `${name}-${(statementCount += 1)}`

  // Each KILL looks at all running statements, so statements that are aborted while one is under way share the next.
  let tagsToKill = new Set<string>()
  let killing: Promise<void> | undefined
  const killAll = async () => {
    for (;;) {
      await wait(killDelayMs)
      const tags = [...tagsToKill]
      if (tags.length === 0) break
      tagsToKill = new Set()
      try {
        const list = tags.map((tag) => `'${tag}'`).join(', ')
        await clients.control.command({ query: `KILL QUERY WHERE Settings['log_comment'] IN (${list}) ASYNC` })
      } catch {
        // The statements end by max_execution_time at the latest.
      }
    }
    killing = undefined
  }
  const kill = (tag: string) => {
    tagsToKill.add(tag)
    killing ??= killAll()
  }

  async function* stream<Row extends z.core.SomeType>(
    statement: Sql,
    row: Row,
    { signal, lane = 'read', maxResultBytes }: QueryOptions,
    settings: RunSettings,
  ): AsyncGenerator<z.infer<Row>[]> {
    const tag = createTag()
    const { text, params } = renderSql(statement)
    const client = lane === 'read' ? clients.readers : clients.writers
    const limits = maxResultBytes === undefined ? settings : { ...settings, max_result_bytes: maxResultBytes }
    const rows = z.array(row)
    const killThis = () => kill(tag)
    let hasEnded = false
    signal?.addEventListener('abort', killThis, { once: true })
    try {
      if (signal?.aborted) throw new StoreError('aborted', 'The statement was aborted before it started.')
      const result = await client.query({
        query: `${text}\n${settingsClause(tag, limits)}`,
        query_params: params,
        format: 'JSONEachRow',
        ...(signal ? { abort_signal: signal } : {}),
      })
      for await (const batch of result.stream()) {
        if (signal?.aborted) throw new StoreError('aborted', 'The statement was aborted.')
        yield z.parse(
          rows,
          batch.map((each) => each.json()),
        )
      }
      hasEnded = true
    } catch (error) {
      // The signal ends the wait for the statement, not the statement.
      hasEnded = !signal?.aborted
      throw signal?.aborted ? new StoreError('aborted', 'The statement was aborted.', { cause: error }) : toStoreError(error)
    } finally {
      signal?.removeEventListener('abort', killThis)
      if (hasEnded) tagsToKill.delete(tag)
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

  return {
    isShared,
    query: async (statement, row, options = {}) => {
      const batches = []
      for await (const batch of stream(statement, row, options, querySettings)) batches.push(batch)
      return batches.flat()
    },
    stream: (statement, row, options = {}) => stream(statement, row, options, streamSettings),
    insert: (table, rows) => insertLines(table, Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))),
    insertLines,
    command: async (statement) => {
      const { text, params } = renderSql(statement)
      const takesSettings = /^\s*INSERT\b/.test(text)
      try {
        await clients.writers.command({
          query: takesSettings ? `${text}\n${settingsClause(createTag(), commandSettings)}` : text,
          query_params: params,
        })
      } catch (error) {
        throw toStoreError(error)
      }
    },
    close: async () => {
      try {
        await clients.control.command({ query: `KILL QUERY WHERE startsWith(Settings['log_comment'], '${name}-') ASYNC` })
      } catch {
        // Closing the clients waits for the statements then.
      }
      await clients.readers.close()
      await clients.writers.close()
      await clients.control.close()
    },
  }
}
