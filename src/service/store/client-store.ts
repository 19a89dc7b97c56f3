import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type ClickHouseClient, drainStream, EXCEPTION_TAG_HEADER_NAME } from '@clickhouse/client'
import * as z from 'zod/mini'
import { identifier, renderSql, type Sql, sql } from './sql'
import { ActiveTimer } from '../lib/active-timer'
import { serviceShare } from '../lib/share'
import { TimeSlices } from '../lib/time-slices'
import type { LaneLimits } from './lane-limits'
import { RowParser } from './row-parser'
import { schemaForRows } from './row-schemas'
import { insertSettings, lookupSettings, scanSettings, settingsClause, type StatementLimits } from './statement-settings'
import { StatementTurns, tooSlowError } from './statement-turns'
import type { Store, StreamOptions, WriteOptions } from './store'
import { closedError, isTooLarge, StoreError, toStoreError } from './store-error'
import { TableRevisions } from './table-revisions'
import { WriteGate } from './write-gate'

/** Clients of one ClickHouse: readers and writers never wait for each other, and control is free when both are busy. */
export type Clients = {
  readers: ClickHouseClient
  /** Like `readers` and `writers`, for results that are held in memory; without them these are read like others. */
  collectors?: { readers: ClickHouseClient; writers: ClickHouseClient }
  writers: ClickHouseClient
  control: ClickHouseClient
  laneLimits: LaneLimits
  /** On how many threads a scan runs; undefined: as many as ClickHouse chooses. */
  scanThreads: number | undefined
  /** Resolves when nothing runs in the embedded engine any more. */
  drain?: () => Promise<void>
}

type RunSettings = Pick<StatementLimits, 'max_execution_time' | 'max_block_size'>

const querySettings: RunSettings = { max_execution_time: 30 }
const maxBatchRows = 2048
/** A stream may have a slow reader, for whom some blocks wait in memory. By default a block has 65,409 rows. */
const streamSettings: RunSettings = { max_execution_time: 300, max_block_size: maxBatchRows }
/** The engine's own limit for a stream: its clock goes on while the reader does something else. */
const maxReadingSeconds = 3600
const maxCollectedBytes = 64 * 1024 * 1024
/** So many rows to insert are made text at once. */
const rowsPerPiece = 100
/** For a snapshot, writes that begin wait at most so long for those that run. */
const maxSnapshotDelayMs = 5000
/** Most aborted statements end by themselves within this time. */
const killDelayMs = 25

/**
 * A store over the ClickHouse client. `name` must be unique to it, of letters, digits and hyphens: its statements carry it
 * in `log_comment`, so that they can be killed. (The embedded engine knows no query_id.)
 */
export function createClientStore(clients: Clients, isShared: boolean, name: string): Store {
  let statementCount = 0
  const createTag = () => `${name}-${(statementCount += 1)}`

  const turns = {
    read: new StatementTurns(clients.laneLimits.read),
    scan: new StatementTurns(clients.laneLimits.scan),
    write: new StatementTurns(clients.laneLimits.write),
  }
  const revisions = new TableRevisions()
  const writes = new WriteGate()
  let isClosing = false
  /**
   * Throws where the engine may have stopped a statement. One that is killed, or whose time is over, sometimes ends as if there were
   * no more rows (seen in chdb 3.4.0, in 30 of a thousand that were killed).
   */
  const requireWhole = (startMs: number, maxSeconds: number, signal?: AbortSignal) => {
    if (signal?.aborted) throw new StoreError('aborted', 'The statement was aborted.')
    if (isClosing) throw closedError()
    if (performance.now() - startMs >= maxSeconds * 1000) throw timedOutError()
  }
  const runWrite = async <T>({ share = serviceShare }: WriteOptions, run: () => Promise<T>, statement: string): Promise<T> => {
    const turn = await turns.write.acquire(share)
    const table = /^\s*INSERT INTO (\w+)\b/.exec(statement)?.[1]
    try {
      const result = await writes.during(() => revisions.during(table, run))
      if (isClosing) throw closedError()
      return result
    } catch (error) {
      throw isClosing ? closedError() : toStoreError(error, statement)
    } finally {
      turn.release()
    }
  }

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
    { signal, share = serviceShare, lane = 'read', maxResultBytes, hasSlowStart = false, lookup }: StreamOptions,
    settings: RunSettings,
    /** The rows are handed on to a reader who may be slow, and not all held in memory. */
    mayStall: boolean,
  ): AsyncGenerator<z.infer<Row>[]> {
    const tag = createTag()
    const { text, params } = renderSql(statement)
    const limits = {
      ...settings,
      ...(maxResultBytes !== undefined && { max_result_bytes: maxResultBytes }),
      ...(lookup && lookupSettings[lookup]),
      ...(lane === 'scan' && scanSettings(clients.scanThreads, { isBackground: share.user === serviceShare.user })),
    }
    const send = async (client: ClickHouseClient, more: Partial<StatementLimits> = {}) =>
      await client.exec({
        query: `${text}\n${settingsClause(tag, { ...limits, ...more })}\nFORMAT JSONEachRow`,
        query_params: params,
        ...(signal ? { abort_signal: signal } : {}),
      })
    const collect = async (client: ClickHouseClient) => {
      const startMs = performance.now()
      try {
        const result = await send(client, { max_result_bytes: maxResultBytes ?? maxCollectedBytes })
        requireWhole(startMs, settings.max_execution_time, signal)
        return result
      } catch (error) {
        if (maxResultBytes === undefined && isTooLarge(toStoreError(error))) return undefined
        throw error
      }
    }
    const turn = await turns[lane].acquire(share, signal)
    const killThis = () => kill(tag)
    let hasEnded = false
    let isOverTime = false
    let timer: ActiveTimer | undefined
    signal?.addEventListener('abort', killThis, { once: true })
    try {
      if (signal?.aborted) throw new StoreError('aborted', 'The statement was aborted before it started.')
      // Sessions that stalled readers hold are no concern of a query that a write waits for.
      const pool = lane === 'write' ? 'writers' : 'readers'
      const isCollected = hasSlowStart || !mayStall
      const collected = isCollected && clients.collectors ? await collect(clients.collectors[pool]) : undefined
      const startMs = performance.now()
      const isPaced = mayStall && !collected
      const maxSeconds = isPaced ? maxReadingSeconds : settings.max_execution_time
      if (isPaced) {
        timer = new ActiveTimer(settings.max_execution_time * 1000, () => {
          isOverTime = true
          kill(tag)
        })
      }
      const result = collected ?? (await send(clients[pool], { max_execution_time: maxSeconds }))
      const cancel = () => {
        kill(tag)
        result.stream.destroy(tooSlowError())
      }
      const parser = new RowParser(toTag(result.response_headers?.[EXCEPTION_TAG_HEADER_NAME]))
      for await (const batch of toBatches(result.stream, parser, row, signal)) {
        timer?.pause()
        if (mayStall) turn.suspend(cancel)
        yield batch
        if (mayStall) await turn.resume()
        timer?.resume()
      }
      parser.end()
      if (isOverTime) throw timedOutError()
      if (!collected) requireWhole(startMs, maxSeconds, signal)
      hasEnded = true
    } catch (error) {
      // The signal ends the wait for the statement, not the statement.
      hasEnded = !signal?.aborted
      if (signal?.aborted) throw new StoreError('aborted', 'The statement was aborted.', { cause: error })
      if (isClosing) throw closedError()
      throw isOverTime ? timedOutError() : toStoreError(error, text)
    } finally {
      timer?.pause()
      turn.release()
      signal?.removeEventListener('abort', killThis)
      if (hasEnded) tagsToKill.delete(tag)
      else kill(tag)
    }
  }

  const killAllOwn = async () => {
    try {
      await clients.control.command({ query: `KILL QUERY WHERE startsWith(Settings['log_comment'], '${name}-') ASYNC` })
    } catch {
      // Closing the clients waits for the statements then.
    }
  }
  const closeClients = async () => {
    isClosing = true
    for (const each of Object.values(turns)) each.close()
    const closed = Promise.all([clients.readers.close(), clients.writers.close()])
    // Again and again: the first does not find a statement that has only just been sent.
    const untilClosed = async () => {
      await killAllOwn()
      if ((await Promise.race([closed, wait(killDelayMs, 'open' as const)])) === 'open') await untilClosed()
    }
    await untilClosed()
    await clients.control.close()
    await clients.drain?.()
  }
  let closing: Promise<void> | undefined

  const insertLines = async (table: string, lines: Uint8Array, options: WriteOptions = {}) => {
    if (lines.length === 0) return
    await runWrite(
      options,
      async () => {
        const result = await clients.writers.exec({
          query: `INSERT INTO ${table} FORMAT JSONEachRow`,
          values: Readable.from([lines], { objectMode: false }),
          clickhouse_settings: insertSettings(createTag()),
        })
        await drainStream(result.stream)
      },
      `INSERT INTO ${table}`,
    )
  }

  const query: Store['query'] = async (statement, row, options = {}) => {
    const batches = []
    for await (const batch of stream(statement, row, options, querySettings, false)) batches.push(batch)
    return batches.flat()
  }

  const snapshot = async (meanwhile: () => Promise<void>) => {
    const tables = sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND endsWith(engine, 'MergeTree')`
    // Before writes are held back: they keep their places in the lane, and this would wait for one of them.
    const found = await query(tables, z.object({ name: z.string() }))
    await writes.alone(maxSnapshotDelayMs, async () => {
      for (const table of found) {
        const { text } = renderSql(sql`ALTER TABLE ${identifier(table.name)} FREEZE WITH NAME 'snapshot'`)
        await clients.control.command({ query: text })
      }
      await meanwhile()
    })
  }

  return {
    isShared,
    revisionOf: (table) => (isShared ? undefined : revisions.of(table)),
    query,
    stream: (statement, row, options = {}) => stream(statement, row, options, streamSettings, true),
    insert: async (table, rows, options) => await insertLines(table, await toLines(rows), options),
    insertLines,
    command: async (statement, options = {}) => {
      const { text, params } = renderSql(statement)
      const takesSettings = /^\s*INSERT\b/.test(text)
      await runWrite(
        options,
        async () => {
          const limits = {
            max_execution_time: options.maxSeconds ?? querySettings.max_execution_time,
            ...(options.lane === 'scan' && scanSettings(clients.scanThreads, { isBackground: true })),
          }
          const startMs = performance.now()
          await clients.writers.command({
            query: takesSettings ? `${text}\n${settingsClause(createTag(), limits)}` : text,
            query_params: params,
          })
          if (takesSettings) requireWhole(startMs, limits.max_execution_time)
        },
        text,
      )
    },
    snapshot: isShared ? undefined : snapshot,
    close: () => (closing ??= closeClients()),
  }
}

function timedOutError(): StoreError {
  return new StoreError('timed_out', 'The statement took too long.')
}

function toTag(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

/** The rows of a result, a few thousand at a time: one that was collected comes as one chunk, and may have a million of them. */
async function* toBatches<Row extends z.core.SomeType>(
  chunks: AsyncIterable<unknown>,
  parser: RowParser,
  row: Row,
  signal: AbortSignal | undefined,
): AsyncGenerator<z.infer<Row>[]> {
  for await (const chunk of chunks) {
    let pieces: z.infer<Row>[][] = []
    let count = 0
    const slices = new TimeSlices()
    for (const piece of parser.add(chunk as Uint8Array /* node types the chunks of a byte stream any */)) {
      if (signal?.aborted) throw new StoreError('aborted', 'The statement was aborted.')
      pieces.push(z.parse(schemaForRows(row, piece.length), piece))
      count += piece.length
      if (count >= maxBatchRows) {
        yield pieces.flat()
        pieces = []
        count = 0
      }
      if (slices.isOver) await slices.next()
    }
    if (count > 0) yield pieces.flat()
  }
}

async function toLines(rows: readonly object[]): Promise<Buffer> {
  const slices = new TimeSlices()
  const lines: Buffer[] = []
  for (let start = 0; start < rows.length; start += rowsPerPiece) {
    if (slices.isOver) await slices.next()
    const piece = rows.slice(start, start + rowsPerPiece)
    lines.push(Buffer.from(piece.map((row) => `${JSON.stringify(row)}\n`).join('')))
  }
  return Buffer.concat(lines)
}
