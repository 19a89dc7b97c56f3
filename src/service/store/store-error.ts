import { ClickHouseError, parseError } from '@clickhouse/client'

/**
 * `timed_out`: the statement took longer than it may. `unavailable`: the engine cannot do it now (memory, disk, too
 * many statements, no connection) and may later. `bad_row`: an inserted row cannot be read. `aborted`: by its signal.
 */
export type StoreErrorKind = 'timed_out' | 'unavailable' | 'bad_row' | 'aborted' | 'failed'

/** Why the store did not do as told; `code` is ClickHouse's number where it gave one. */
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

/** Whether a statement failed because it reads too much at once: part of what it asked for may still be had. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof StoreError && error.code !== undefined && tooLargeCodes.has(error.code)
}

// Numbers from ClickHouse's ErrorCodes.cpp, grouped by what the caller can do about them.
const kindByCode = new Map<number, StoreErrorKind>([
  ...kindOf('timed_out', [159, 160, 209]),
  ...kindOf('unavailable', [202, 203, 210, 241, 242, 243, 252, 319, 999]),
  ...kindOf('bad_row', [6, 25, 26, 27, 33, 38, 41, 53, 69, 70, 72, 117, 130, 321, 349, 441]),
  ...kindOf('aborted', [394]),
])

function kindOf(kind: StoreErrorKind, codes: readonly number[]) {
  return codes.map((code) => [code, kind] as const)
}

/** Reads ClickHouse's `Code: N. DB::Exception: ...` out of whatever a client threw. */
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
