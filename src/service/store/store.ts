import type * as z from 'zod/mini'
import type { Sql } from './sql'

/** Values for the `{name:Type}` placeholders of a statement; they never enter its text. Times are 'YYYY-MM-DD hh:mm:ss.ffffff' in UTC. */
export type QueryParams = Readonly<Record<string, string | number | boolean | null | readonly string[] | readonly number[]>>

export type QueryOptions = {
  /** Ends the statement in the engine, not only the wait for it. */
  signal?: AbortSignal | undefined
  /** 'write' runs beside the readers' statements, never behind them: for what a write has to wait for. 'read' by default. */
  lane?: 'read' | 'write'
  /** A statement with more bytes of rows than this fails (`isTooLarge`) before they come into this process's memory. */
  maxResultBytes?: number
}

/** One ClickHouse, embedded or a server; the same SQL serves both. Every method rejects with a `StoreError`. */
export type Store = {
  /** True for a server that other copies of the service may write to as well. */
  readonly isShared: boolean
  /** All rows of a SELECT, each parsed. 64-bit integers arrive as strings. */
  query<Row extends z.core.SomeType>(statement: Sql, row: Row, options?: QueryOptions): Promise<z.infer<Row>[]>
  query<Row extends z.core.SomeType>(sql: string, params: QueryParams, row: Row, options?: QueryOptions): Promise<z.infer<Row>[]>
  /** The same in batches, as the engine delivers them; the reader sets the pace. Leaving early ends the statement. */
  stream<Row extends z.core.SomeType>(statement: Sql, row: Row, options?: QueryOptions): AsyncIterable<z.infer<Row>[]>
  stream<Row extends z.core.SomeType>(
    sql: string,
    params: QueryParams,
    row: Row,
    options?: QueryOptions,
  ): AsyncIterable<z.infer<Row>[]>
  /** Inserts rows as one block; resolves when they are on disk and visible to every query begun after. */
  insert(table: string, rows: readonly object[]): Promise<void>
  /** The same for rows that are JSON lines already. The bytes must not change until it resolves. */
  insertLines(table: string, lines: Uint8Array): Promise<void>
  /** A statement without rows: DDL, INSERT SELECT. */
  command(statement: Sql): Promise<void>
  command(sql: string, params?: QueryParams): Promise<void>
  /** Ends running statements and lets go of the folder or the server. */
  close(): Promise<void>
}
