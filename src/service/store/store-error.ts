import { ClickHouseError, parseError } from '@clickhouse/client'

/**
 * `timed_out`: the statement exceeded its time limit. `unavailable`: the engine cannot run it now (memory, disk, too many
 * statements, no connection) and may later. `overloaded`: too many statements of this user wait. `busy`: the statement
 * waited too long to begin. `closed`: this process has closed the store. `too_complex`: its text is too long or nested too
 * deeply. `too_much_memory`: it needs more than one statement may take. `bad_row`: an inserted row cannot be parsed. `aborted`:
 * by its signal.
 */
export type StoreErrorKind =
  | 'timed_out'
  | 'unavailable'
  | 'overloaded'
  | 'busy'
  | 'closed'
  | 'too_complex'
  | 'too_much_memory'
  | 'bad_row'
  | 'aborted'
  | 'failed'

type StoreErrorOptions = {
  cause?: unknown
  code?: number | undefined
  /** For clients, where more can be said than the kind says. */
  clientMessage?: string | undefined
}

/**
 * A failure of the store. `code` is ClickHouse's error number, if it gave one. The message holds nothing that a client has
 * sent, so it can be logged. That of `cause` may: ClickHouse quotes statements and values.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly code: number | undefined
  readonly clientMessage: string | undefined

  constructor(
    readonly kind: StoreErrorKind,
    message: string,
    { cause, code, clientMessage }: StoreErrorOptions = {},
  ) {
    super(message, { cause })
    this.code = code
    this.clientMessage = clientMessage
  }
}

export function closedError(): StoreError {
  return new StoreError('closed', 'The store is closed.')
}

/** Whether a statement failed because this process ends. Nobody needs to be told, and to try again is of no use. */
export function isClosed(error: unknown): boolean {
  return error instanceof StoreError && error.kind === 'closed'
}

// MEMORY_LIMIT_EXCEEDED and TOO_MANY_ROWS_OR_BYTES.
const tooLargeCodes = new Set([241, 396])

/** Whether a statement failed because its result is too large. The same for fewer rows may succeed. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof StoreError && error.code !== undefined && tooLargeCodes.has(error.code)
}

/** Undefined for a result of too many bytes. */
export async function ifNotTooLarge<Result>(result: Promise<Result>): Promise<Result | undefined> {
  return await result.catch((error: unknown) => {
    if (isTooLarge(error)) return undefined
    throw error
  })
}

// Numbers of ClickHouse's ErrorCodes.cpp.
const kindByCode = new Map<number, StoreErrorKind>([
  ...withKind('timed_out', [159, 160, 209]),
  ...withKind('unavailable', [202, 203, 210, 241, 242, 243, 252, 319, 999]),
  // TOO_DEEP_AST, TOO_BIG_AST, TOO_DEEP_RECURSION, QUERY_IS_TOO_LARGE.
  ...withKind('too_complex', [167, 168, 306, 577]),
  ...withKind('bad_row', [6, 25, 26, 27, 33, 38, 41, 53, 69, 70, 72, 117, 130, 321, 349, 441]),
  ...withKind('aborted', [394]),
])

function withKind(kind: StoreErrorKind, codes: readonly number[]) {
  return codes.map((code) => [code, kind] as const)
}

/**
 * Recognizes `Code: N. DB::Exception: ...` in whatever error a client threw. `statement` is its SQL; values are not part of it.
 */
export function toStoreError(error: unknown, statement = ''): StoreError {
  if (error instanceof StoreError) return error
  const parsed = error instanceof ClickHouseError ? error : parseError(error instanceof Error ? error.message : String(error))
  const place = statement === '' ? '' : ` in ${shorten(statement)}`
  if (parsed instanceof ClickHouseError) {
    const code = Number(parsed.code)
    const type = parsed.type ?? 'an error without a name'
    return new StoreError(toKind(code, parsed.message), `${type} (${code})${place}`, { cause: error, code })
  }
  const systemCode = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const isConnection = systemCode !== undefined && /^E[A-Z]+$/.test(systemCode)
  const reason = isConnection ? `no connection (${systemCode})` : error instanceof Error ? error.name : typeof error
  return new StoreError(isConnection ? 'unavailable' : 'failed', `${reason}${place}`, { cause: error })
}

/** Two numbers stand for two causes each: the message tells whether it is this statement or the whole engine, or our SQL. */
function toKind(code: number, message: string): StoreErrorKind {
  if (code === 241 && /query memory limit|memory limit \(for query\)/i.test(message)) return 'too_much_memory'
  if (code === 62 && message.includes('Max query size exceeded')) return 'too_complex'
  return kindByCode.get(code) ?? 'failed'
}

const maxStatementLength = 80

function shorten(statement: string): string {
  const oneLine = statement.replaceAll(/\s+/g, ' ').trim()
  return oneLine.length > maxStatementLength ? `${oneLine.slice(0, maxStatementLength)}…` : oneLine
}
