import { compareText } from '../../../contract/compare-text'
import { formatInstant, parseInstant } from '../../../contract/instant'
import type { Thread, threadSortFields } from '../../../contract/threads'
import type { CallRow } from '../../ingest/call-row'

// The reference model of threads in plain TypeScript. Tests compare what the store gives with it.

export type ReferenceTurn = { id: string; threadId: string; start: bigint; end: bigint | undefined }

function maxOf<T>(values: (T | undefined)[], compare: (left: T, right: T) => number): T | undefined {
  return values
    .filter((value) => value !== undefined)
    .toSorted(compare)
    .at(-1)
}

function compareInstants(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0
}

export function toMicroseconds(instant: string | undefined): bigint | undefined {
  if (instant === undefined) return undefined
  const parsed = parseInstant(instant)
  if (typeof parsed === 'string') throw new Error(parsed)
  return parsed
}

/** The turns of one project's calls, from the parts of the calls in any order. */
export function referenceTurns(parts: readonly CallRow[]): ReferenceTurn[] {
  const ids = [...new Set(parts.map(({ id }) => id))]
  return ids.flatMap((id) => {
    const own = parts.filter((part) => part.id === id)
    const threadId = maxOf(
      own.map((part) => part.thread_id),
      compareText,
    )
    const turnId = maxOf(
      own.map((part) => part.turn_id),
      compareText,
    )
    const start = own
      .map((part) => toMicroseconds(part.started_at))
      .filter((time) => time !== undefined)
      .toSorted(compareInstants)[0]
    const end = maxOf(
      own.map((part) => toMicroseconds(part.ended_at)),
      compareInstants,
    )
    const isTurn = own.some((part) => part.is_conversation) ? isTopmost(own, threadId, parts) : turnId === id
    const isDeleted = own.some((part) => part.deleted_at !== undefined)
    return threadId && isTurn && !isDeleted && start !== undefined ? [{ id, threadId, start, end }] : []
  })
}

/** Whether no parent in the same trace, as reported by any part, is in the thread. */
function isTopmost(ownParts: readonly CallRow[], threadId: string | undefined, parts: readonly CallRow[]): boolean {
  const valuesOf = (name: 'trace_id' | 'parent_id', ofParts: readonly CallRow[]) =>
    new Set(ofParts.filter((part) => part.is_span && part.thread_id).flatMap((part) => part[name] ?? []))
  const isNested = [...valuesOf('parent_id', ownParts)].some((parentId) => {
    const parentParts = parts.filter((part) => part.id === parentId)
    const isSameTrace = [...valuesOf('trace_id', ownParts)].some((traceId) => valuesOf('trace_id', parentParts).has(traceId))
    return isSameTrace && parentParts.some((part) => part.thread_id === threadId)
  })
  return !isNested && ownParts.every((part) => !part.turn_id || part.turn_id === part.id)
}

/** The percentile in milliseconds: at rank (n-1)q, q in hundredths, interpolated linearly in whole microseconds. */
export function percentileMs(durations: readonly bigint[], hundredths: number): number | null {
  if (durations.length === 0) return null
  const sorted = durations.toSorted(compareInstants)
  const rank = (sorted.length - 1) * hundredths
  const low = sorted[Math.floor(rank / 100)] ?? 0n
  const high = sorted[Math.ceil(rank / 100)] ?? 0n
  const share = BigInt(rank % 100)
  return Number(low * (100n - share) + high * share) / 100_000
}

/** The threads of one project, from the parts of its calls. With a `window`, only turns that started inside it count. */
export function referenceThreads(parts: readonly CallRow[], window: { after?: string; before?: string } = {}): Thread[] {
  const after = toMicroseconds(window.after)
  const before = toMicroseconds(window.before)
  const turns = referenceTurns(parts).filter(
    ({ start }) => (after === undefined || start > after) && (before === undefined || start < before),
  )
  return [...new Set(turns.map(({ threadId }) => threadId))].map((threadId) => {
    const own = turns.filter((turn) => turn.threadId === threadId)
    const finished = own.flatMap(({ id, start, end }) => (end === undefined ? [] : [{ id, start, end }]))
    const durations = finished.map(({ start, end }) => (end > start ? end - start : 0n))
    const starts = own.map(({ start }) => start).toSorted(compareInstants)
    const lastEnd = maxOf(
      finished.map(({ end }) => end),
      compareInstants,
    )
    const firstIds = own.filter(({ start }) => start === starts[0]).map(({ id }) => id)
    const lastIds = finished.filter(({ end }) => end === lastEnd).map(({ id }) => id)
    return {
      thread_id: threadId,
      turn_count: own.length,
      start_time: formatInstant(starts[0] ?? 0n),
      last_updated: formatInstant(lastEnd ?? starts.at(-1) ?? 0n),
      first_turn_id: firstIds.toSorted(compareText)[0] ?? null,
      last_turn_id: lastIds.toSorted(compareText)[0] ?? null,
      p50_turn_duration_ms: percentileMs(durations, 50),
      p99_turn_duration_ms: percentileMs(durations, 99),
    }
  })
}

type SortKey = { field: (typeof threadSortFields)[number]; direction: 'asc' | 'desc' }

/** Sorted as the contract says: nulls last in both directions, text by its UTF-8 bytes, ties by thread id. */
export function sortReferenceThreads(threads: readonly Thread[], keys: readonly SortKey[]): Thread[] {
  return threads.toSorted((left, right) => {
    for (const { field, direction } of keys) {
      const order = compareValues(left[field], right[field], direction)
      if (order !== 0) return order
    }
    return compareText(left.thread_id, right.thread_id)
  })
}

function compareValues(left: string | number | null, right: string | number | null, direction: 'asc' | 'desc'): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1
  const order =
    typeof left === 'number' && typeof right === 'number' ? left - right : compareWireValues(String(left), String(right))
  return direction === 'asc' ? order : -order
}

/** Instants are compared as times: without a fraction they would sort wrong as text, since 'Z' comes after '.'. */
function compareWireValues(left: string, right: string): number {
  const [first, second] = [parseInstant(left), parseInstant(right)]
  return typeof first === 'bigint' && typeof second === 'bigint' ? compareInstants(first, second) : compareText(left, right)
}
