import * as z from 'zod/mini'

/** Times in milliseconds. `sinceMs`: the end of the visit before this one; null on the first visit. */
export const Visit = z.object({ sinceMs: z.nullable(z.number()), lastSeenMs: z.number() })
export type Visit = z.infer<typeof Visit>

/** Whoever looks again within half an hour is on the same visit: a reload takes no mark away. */
const maxGapMs = 30 * 60_000

/** The visit after somebody has looked at `nowMs`. */
export function continueVisit(visit: Visit | undefined, nowMs: number): Visit {
  if (!visit) return { sinceMs: null, lastSeenMs: nowMs }
  const isSame = nowMs - visit.lastSeenMs <= maxGapMs
  return { sinceMs: isSame ? visit.sinceMs : visit.lastSeenMs, lastSeenMs: Math.max(nowMs, visit.lastSeenMs) }
}

export type Change = 'new' | 'updated'
type Dated = { id: string; startMs: number | null; updatedMs: number | null }

/** What began or changed since a visit, by id. Nothing where all of it did: a mark in every row says nothing. */
export function findChanges(items: readonly Dated[], sinceMs: number | null): ReadonlyMap<string, Change> {
  if (sinceMs === null) return noChanges
  const changes = new Map<string, Change>()
  for (const { id, startMs, updatedMs } of items) {
    if (startMs !== null && startMs > sinceMs) changes.set(id, 'new')
    else if (updatedMs !== null && updatedMs > sinceMs) changes.set(id, 'updated')
  }
  return changes.size < items.length ? changes : noChanges
}

const noChanges: ReadonlyMap<string, Change> = new Map()
