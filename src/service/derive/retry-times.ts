/** Pauses after a failure of the store. Tests shorten them. */
export type RetryTimes = { minMs: number; maxMs: number }

export const defaultRetryTimes: RetryTimes = { minMs: 1000, maxMs: 60_000 }

export function toRetryMs({ minMs, maxMs }: RetryTimes, failures: number): number {
  return Math.min(maxMs, minMs * 2 ** (failures - 1))
}
