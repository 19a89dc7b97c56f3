import { compareText } from '../../../contract/compare-text'
import { formatInstant, parseInstant } from '../../../contract/instant'
import type { Thread, threadSortFields } from '../../../contract/threads'
import type { CallRow } from '../../ingest/call-row'

// What threads are, said as plainly as TypeScript can: the store's answers are held against it.

type Turn = { id: string; threadId: string; start: bigint; end: bigint | undefined }

function greatest<T>(values: (T | undefined | null)[], compare: (left: T, right: T) => number): T | undefined {
  return values
    .filter((value) => value !== undefined && value !== null)
    .toSorted(compare)
    .at(-1)
}

function compareInstants(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0
}

function microseconds(instant: string | undefined): bigint | undefined {
  if (instant === undefined) return undefined
  const parsed = parseInstant(instant)
  if (typeof parsed === 'string') throw new Error(parsed)
  return parsed
}

/** The turns that the parts of one project's calls make up, in whatever order they came. */
function turnsOf(parts: readonly CallRow[]): Turn[] {
  const ids = [...new Set(parts.map(({ id }) => id))]
  return ids.flatMap((id) => {
    const own = parts.filter((part) => part.id === id)
    const threadId = greatest(
      own.map((part) => part.thread_id),
      compareText,
    )
    const turnId = greatest(
      own.map((part) => part.turn_id),
      compareText,
    )
    const start = own
      .map((part) => microseconds(part.started_at))
      .filter((time) => time !== undefined)
      .toSorted(compareInstants)[0]
    const end = greatest(
      own.map((part) => microseconds(part.ended_at)),
      compareInstants,
    )
    const isTurn = own.some((part) => part.is_conversation) ? isTopmost(own, threadId, parts) : turnId === id
    return threadId && isTurn && start !== undefined ? [{ id, threadId, start, end }] : []
  })
}

/** Whether no parent that was ever said of a span was ever, in the same trace, in the thread. */
function isTopmost(own: readonly CallRow[], threadId: string | undefined, parts: readonly CallRow[]): boolean {
  const ofThreads = (each: readonly CallRow[]) => each.filter((part) => part.is_span && part.thread_id)
  const said = (name: 'trace_id' | 'parent_id', of: readonly CallRow[]) =>
    new Set(ofThreads(of).flatMap((part) => part[name] ?? []))
  const isBelow = [...said('parent_id', own)].some((parentId) => {
    const parent = parts.filter((part) => part.id === parentId)
    const isSameTrace = [...said('trace_id', own)].some((traceId) => said('trace_id', parent).has(traceId))
    return isSameTrace && parent.some((part) => part.thread_id === threadId)
  })
  return !isBelow && own.every((part) => !part.turn_id || part.turn_id === part.id)
}

/** Milliseconds at rank (n-1)q, q in hundredths, interpolated linearly over whole microseconds, divided once. */
function percentileMs(durations: readonly bigint[], hundredths: number): number | null {
  if (durations.length === 0) return null
  const sorted = durations.toSorted(compareInstants)
  const rank = (sorted.length - 1) * hundredths
  const low = sorted[Math.floor(rank / 100)] ?? 0n
  const high = sorted[Math.ceil(rank / 100)] ?? 0n
  const share = BigInt(rank % 100)
  return Number(low * (100n - share) + high * share) / 100_000
}

/** The threads of one project's parts; `window` keeps turns that started strictly within. */
export function referenceThreads(parts: readonly CallRow[], window: { after?: string; before?: string } = {}): Thread[] {
  const after = microseconds(window.after)
  const before = microseconds(window.before)
  const turns = turnsOf(parts).filter(
    ({ start }) => (after === undefined || start > after) && (before === undefined || start < before),
  )
  return [...new Set(turns.map(({ threadId }) => threadId))].map((threadId) => {
    const own = turns.filter((turn) => turn.threadId === threadId)
    const finished = own.flatMap(({ id, start, end }) => (end === undefined ? [] : [{ id, start, end }]))
    const durations = finished.map(({ start, end }) => (end > start ? end - start : 0n))
    const starts = own.map(({ start }) => start).toSorted(compareInstants)
    const lastEnd = greatest(
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

/** Sorted as the wire says: nulls last either way, text by its bytes, ties by thread id. */
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

/** Instants of the wire leave a zero fraction out, so as text 'Z' would come after '.'. */
function compareWireValues(left: string, right: string): number {
  const [first, second] = [parseInstant(left), parseInstant(right)]
  return typeof first === 'bigint' && typeof second === 'bigint' ? compareInstants(first, second) : compareText(left, right)
}
