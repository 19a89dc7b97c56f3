import type * as z from 'zod/mini'
import type { Share } from '../lib/share'
import type { Sql } from './sql'
import type { StoreError } from './store-error'

/**
 * Each lane has places and a queue of its own. 'scan' is for statements that go through much of a project: they run on few
 * threads and give way to the others. 'write' is for queries that a write waits for: they never queue behind those of readers.
 */
export type Lane = 'read' | 'scan' | 'write'

export type QueryOptions = {
  /** Ends the statement in the engine too, not only the wait for it. */
  signal?: AbortSignal | undefined
  /** Whose statement it is: the sessions are shared out fairly. The service's own by default. */
  share?: Share | undefined
  /** 'read' by default. */
  lane?: Lane
  /** A larger result fails (`isTooLarge`) before it reaches this process's memory. */
  maxResultBytes?: number
  /**
   * The statement reads few rows. 'narrow' and 'wide': they are scattered over a table, such as those of some ids, and few columns of
   * them are read, or most. 'ordered': they are the first ones in the order of the table.
   */
  lookup?: 'narrow' | 'wide' | 'ordered'
}

export type StreamOptions = QueryOptions & {
  /**
   * Planning the statement may take long, as with an IN of a subquery with many rows. So the embedded engine runs it as a `query`, which
   * holds back nobody else's: a result of up to 64 MiB is held in memory; a larger one is streamed as usual.
   */
  hasSlowStart?: boolean
}

/** In the data folder. */
export const snapshotsFolder = 'store/shadow'
export const snapshotFolder = `${snapshotsFolder}/snapshot`

export type WriteOptions = Pick<QueryOptions, 'share'>

export type CommandOptions = WriteOptions & {
  /** After this time an INSERT fails with `timed_out`; 30 by default. */
  maxSeconds?: number
  /** An INSERT SELECT of lane 'scan' gives way to all other statements. */
  lane?: 'scan'
}

/** A ClickHouse, embedded or a server; both take the same SQL. Every method rejects with a `StoreError`. */
export type Store = {
  /** True for a server, which other copies of the service may write to as well. */
  readonly isShared: boolean
  /** Why nothing can be read or written until a restart, if so. */
  readonly failure?: StoreError | undefined
  /**
   * Changes with every write to this table: as long as it is the same, so is what the table holds. Undefined while the table is
   * being written to, and for a server, which others write to as well. Tables that a view fills do not count.
   */
  revisionOf(table: string): number | undefined
  /** All rows of a SELECT, each parsed by `row` (see row-types.ts). The engine prints 64-bit integers as text. */
  query<Row extends z.core.SomeType>(statement: Sql, row: Row, options?: QueryOptions): Promise<z.infer<Row>[]>
  /** The same in batches as the engine delivers them, at the reader's pace. Leaving the loop early ends the statement. */
  stream<Row extends z.core.SomeType>(statement: Sql, row: Row, options?: StreamOptions): AsyncIterable<z.infer<Row>[]>
  /** Inserts rows as one block. Resolves when they are on disk and visible to every query that starts after. */
  insert(table: string, rows: readonly object[], options?: WriteOptions): Promise<void>
  /** The same for rows that are JSON lines already. The bytes are taken over: they may be gone when it resolves. */
  insertLines(table: string, lines: Uint8Array, options?: WriteOptions): Promise<void>
  /** Runs a statement that returns no rows: DDL, INSERT SELECT. */
  command(statement: Sql, options?: CommandOptions): Promise<void>
  /**
   * Links all files of the tables, as they are at one moment, into `snapshotFolder` of the data folder. Nothing is written
   * until `meanwhile` has ended too. Only the embedded engine has it.
   */
  readonly snapshot?: ((meanwhile: () => Promise<void>) => Promise<void>) | undefined
  /** Ends running statements and closes the folder or the connections. */
  close(): Promise<void>
}
