import * as z from 'zod/mini'
import { toCompoundKey } from '../../lib/compound-key'
import { TimeSlices } from '../../lib/time-slices'
import { flag, textOrNull } from '../../store/row-types'
import { type Sql, sql } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'

/** Calls with the calls below them: what is below comes first. `liveCount` of them are stored and not deleted. */
type Subtrees = { ids: string[]; liveCount: number }

const CallRow = z.object({ id: z.string(), trace_id: z.string(), parent_id: textOrNull, is_deleted: flag })
type CallRow = z.infer<typeof CallRow>

/** The calls of so many traces are in memory at once. */
const tracesPerStep = 50

/**
 * Finds the calls with these ids and all calls below them in the same trace, in steps. Ids that the project does not have are
 * part of the first step. Deleted calls are followed too: a new call may be below one.
 */
export async function* findSubtrees(
  store: Store,
  projectId: string,
  callIds: readonly string[],
  options: QueryOptions,
): AsyncGenerator<Subtrees> {
  const rows = await store.query(selectCalls(projectId, sql`id IN ${callIds}`), CallRow, { ...options, lane: 'write' })
  const found = new Map(rows.map((row) => [row.id, row]))
  // Only the end of a call may have arrived, which names no trace.
  const single = [...new Set(callIds)].filter((id) => !found.get(id)?.trace_id)
  if (single.length > 0) yield { ids: single, liveCount: single.filter((id) => found.get(id)?.is_deleted === false).length }
  const roots = rows.filter((row) => row.trace_id)
  const traceIds = [...new Set(roots.map((row) => row.trace_id))]
  for (let start = 0; start < traceIds.length; start += tracesPerStep) {
    const step = traceIds.slice(start, start + tracesPerStep)
    const children = await readChildren(store, projectId, step, options)
    yield await collect(
      children,
      roots.filter((root) => step.includes(root.trace_id)),
    )
  }
}

function selectCalls(projectId: string, condition: Sql): Sql {
  return sql`SELECT id, max(calls.trace_id) AS trace_id, max(calls.parent_id) AS parent_id, max(deleted_at) IS NOT NULL AS is_deleted
FROM calls WHERE project_id = ${projectId} AND ${condition} GROUP BY id`
}

/** The calls of these traces by the trace and the parent that they name. */
async function readChildren(store: Store, projectId: string, traceIds: readonly string[], options: QueryOptions) {
  const ids = sql`SELECT id FROM trace_calls WHERE project_id = ${projectId} AND trace_id IN ${traceIds}`
  const children = new Map<string, CallRow[]>()
  for await (const rows of store.stream(selectCalls(projectId, sql`id IN (${ids})`), CallRow, {
    ...options,
    hasSlowStart: true,
  })) {
    for (const row of rows) {
      if (row.parent_id === null) continue
      const key = toCompoundKey(row.trace_id, row.parent_id)
      const siblings = children.get(key)
      if (siblings) siblings.push(row)
      else children.set(key, [row])
    }
  }
  return children
}

/** Parents may form a circle. A trace may have a million calls, so the work is done in slices. */
async function collect(children: ReadonlyMap<string, readonly CallRow[]>, roots: readonly CallRow[]): Promise<Subtrees> {
  const calls = new Map(roots.map((root) => [root.id, root]))
  const slices = new TimeSlices()
  // A map gives its entries in the order in which they were added, also those that are added meanwhile.
  for (const call of calls.values()) {
    if (slices.isOver) await slices.next()
    for (const child of children.get(toCompoundKey(call.trace_id, call.id)) ?? []) {
      if (!calls.has(child.id)) calls.set(child.id, child)
    }
  }
  const ids = [...calls.keys()].toReversed()
  return { ids, liveCount: [...calls.values()].filter((call) => !call.is_deleted).length }
}
