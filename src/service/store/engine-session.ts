/** Values of the parameters `{name:Type}` of a statement. */
export type BoundParams = Readonly<Record<string, unknown>>

export type EngineInsert = {
  table: string
  /** Rows in the format JSONEachRow. */
  lines: Uint8Array
  settings: Readonly<Record<string, string | number | boolean>>
}

/** A session of the embedded engine. It runs one statement at a time. Errors have ClickHouse's text: `Code: N. ...`. */
export type EngineSession = {
  readonly isOpen: boolean
  /** Runs a statement whose rows nobody reads. */
  run(statement: string, params?: BoundParams): Promise<void>
  /** Starts a SELECT. */
  stream(statement: string, params: BoundParams): Promise<RowStream>
  /** Runs a SELECT to its end. Its rows are as those of `stream`, and all in memory. */
  collect(statement: string, params: BoundParams): Promise<Uint8Array<ArrayBuffer>>
  insert(insert: EngineInsert): Promise<void>
  close(): void
}

/** The rows of a running SELECT in the format JSONEachRow, in chunks of whole rows. */
export type RowStream = {
  /** Undefined after the last chunk. */
  next(): Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Ends it early. The session is free when a pending `next` has settled. */
  cancel(): void
}
