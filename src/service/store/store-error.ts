import { ClickHouseError, parseError } from '@clickhouse/client'

/**
 * `timed_out`: the statement exceeded its time limit. `unavailable`: the engine cannot run it now (memory, disk, too many
 * statements, no connection) and may later. `overloaded`: too many statements of this user wait. `busy`: the statement
 * waited too long to begin. `bad_row`: an inserted row cannot be parsed. `aborted`: by its signal.
 */
export type StoreErrorKind = 'timed_out' | 'unavailable' | 'overloaded' | 'busy' | 'bad_row' | 'aborted' | 'failed'

/** A failure of the store. `code` is ClickHouse's error number, if it gave one. */
export class StoreError extends Error {
  override readonly name = 'StoreError'

  constructor(
    readonly kind: StoreErrorKind,
    message: string,
    options: { cause?: unknown; code?: number | undefined } = {},
  ) {
    super(message, { cause: options.cause })
    this.code = options.code
  }

  readonly code: number | undefined
}

// MEMORY_LIMIT_EXCEEDED and TOO_MANY_ROWS_OR_BYTES.
const tooLargeCodes = new Set([241, 396])

/** Whether a statement failed because its result is too large. The same for fewer rows may succeed. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof StoreError && error.code !== undefined && tooLargeCodes.has(error.code)
}

// Numbers of ClickHouse's ErrorCodes.cpp.
const kindByCode = new Map<number, StoreErrorKind>([
  ...withKind('timed_out', [159, 160, 209]),
  ...withKind('unavailable', [202, 203, 210, 241, 242, 243, 252, 319, 999]),
  ...withKind('bad_row', [6, 25, 26, 27, 33, 38, 41, 53, 69, 70, 72, 117, 130, 321, 349, 441]),
  ...withKind('aborted', [394]),
])

function withKind(kind: StoreErrorKind, codes: readonly number[]) {
  return codes.map((code) => [code, kind] as const)
}

/** Parses `Code: N. DB::Exception: ...` in whatever error a client threw. */
export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const message = error instanceof Error ? error.message : String(error)
  const parsed = error instanceof ClickHouseError ? error : parseError(message)
  if (parsed instanceof ClickHouseError) {
    const code = Number(parsed.code)
    return new StoreError(kindByCode.get(code) ?? 'failed', parsed.message, { cause: error, code })
  }
  const isConnection = error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)
  return new StoreError(isConnection ? 'unavailable' : 'failed', message, { cause: error })
}
