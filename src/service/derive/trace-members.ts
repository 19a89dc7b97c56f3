import * as z from 'zod/mini'
import { TimeSlices } from '../lib/time-slices'
import { splitIds } from '../store/split-ids'
import { sql } from '../store/sql'
import type { QueryOptions, Store } from '../store/store'

const TraceRow = z.object({ trace_id: z.string() })

/** The traces that any part of these calls named. */
export async function findTraces(store: Store, projectId: string, callIds: readonly string[], options: QueryOptions) {
  const traceIds = new Set<string>()
  for (const ids of splitIds(callIds)) {
    const statement = sql`SELECT DISTINCT arrayJoin(all_trace_ids) AS trace_id FROM calls
WHERE project_id = ${projectId} AND id IN ${ids}`
    for (const row of await store.query(statement, TraceRow, options)) traceIds.add(row.trace_id)
  }
  return [...traceIds]
}

/** A trace and all calls that ever named it. */
const TraceMembers = z.object({ trace_id: z.string(), ids: z.array(z.string()) })
export type TraceMembers = z.infer<typeof TraceMembers>

/** The traces with their calls, together until they have so many. A trace is never divided. */
async function* readMembers(
  store: Store,
  projectId: string,
  traceIds: readonly string[],
  callsPerGroup: number,
  options: QueryOptions,
): AsyncGenerator<TraceMembers[]> {
  let group: TraceMembers[] = []
  let groupSize = 0
  for (const some of splitIds(traceIds)) {
    const statement = sql`SELECT trace_id, groupUniqArray(id) AS ids FROM trace_calls
WHERE project_id = ${projectId} AND trace_id IN ${some} GROUP BY trace_id`
    const traces: TraceMembers[] = []
    // Not while the group is derived: a statement whose reader waits keeps its session from others.
    for await (const rows of store.stream(statement, TraceMembers, options)) for (const row of rows) traces.push(row)
    for (const trace of traces) {
      group.push(trace)
      groupSize += trace.ids.length
      if (groupSize < callsPerGroup) continue
      yield group
      group = []
      groupSize = 0
    }
  }
  if (group.length > 0) yield group
}

type DeriveTraces = (
  store: Store,
  projectId: string,
  traces: readonly TraceMembers[],
  options: QueryOptions,
  slices: TimeSlices,
) => Promise<void>

/** A function that derives any number of traces: `deriveTraces` gets them in groups of about so many calls. */
export function deriveInGroups(callsPerGroup: number, deriveTraces: DeriveTraces) {
  return async (store: Store, projectId: string, traceIds: readonly string[], options: QueryOptions): Promise<void> => {
    const slices = new TimeSlices()
    for await (const traces of readMembers(store, projectId, traceIds, callsPerGroup, options)) {
      await deriveTraces(store, projectId, traces, options, slices)
    }
  }
}
