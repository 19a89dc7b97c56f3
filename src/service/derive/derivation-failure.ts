import { toStoreError } from '../store/store-error'

/** Parts of one call contradict each other so often that deriving from it would stall the service. */
export class TooManyValuesError extends Error {
  override readonly name = 'TooManyValuesError'

  constructor() {
    super('A call names too many threads, turns, traces or parents.')
  }
}

/**
 * Why a derivation failed. `store`: the store cannot run anything of its kind now, so nothing is said about the data.
 * `load`: too little memory or time, by the data or by what else the store is doing. `data`: most likely by the data alone.
 * `reason` is for administrators and has no user data; the engine's own message may have some.
 */
export type DerivationFailure = { cause: 'store' | 'load' | 'data'; reason: string }

// CANNOT_READ_..., CANNOT_WRITE_..., CANNOT_OPEN_FILE, CANNOT_CLOSE_FILE, NOT_ENOUGH_SPACE and the like: the disk.
const diskCodes = new Set([23, 24, 74, 75, 76, 77, 87, 88, 162, 243, 1001])
const memoryLimitCode = 241
const tooLargeResultCode = 396

export function classifyFailure(error: unknown): DerivationFailure {
  if (error instanceof TooManyValuesError)
    return { cause: 'data', reason: 'Its parts name too many threads, turns, traces or parents.' }
  const { kind, code, message } = toStoreError(error)
  const number = code === undefined ? '' : ` (error ${code})`
  if (code === memoryLimitCode) {
    // The limit of one statement, or that of the whole engine, which others may have used up.
    const isOwnLimit = /\b(Query memory limit|for query)\b/.test(message)
    return { cause: isOwnLimit ? 'data' : 'load', reason: `It takes too much memory${number}.` }
  }
  if (code === tooLargeResultCode) return { cause: 'data', reason: `Its ids are too long${number}.` }
  if (kind === 'timed_out') return { cause: 'load', reason: `It takes too much time${number}.` }
  const isOfData = kind === 'failed' || kind === 'bad_row'
  if (isOfData && !(code !== undefined && diskCodes.has(code))) {
    return { cause: 'data', reason: `The store cannot compute it${number}.` }
  }
  return { cause: 'store', reason: `The store cannot compute it now${number}.` }
}
