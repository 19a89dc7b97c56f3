import * as z from 'zod/mini'
import { toCompoundKey } from '../lib/compound-key'
import { groupByProject } from '../lib/group-by-project'
import { keysIn } from '../store/keys-in'
import { type Sql, sql, uint64 } from '../store/sql'
import type { Store } from '../store/store'
import type { Derivation, LastProgress, TurnKey } from './derivation'
import { type ThreadCall, toTurnRow, type TurnRow } from './thread-call'

/**
 * Derives the turns of OTLP conversations from these spans, and retracts turns that they take the place of. A span is a turn
 * of a thread if none of its parents, as reported by any part, is in that thread. Its own `turn_id` counts only where it
 * names another call: then the span is no turn. A deleted span is none either; what is below it does not become one.
 *
 * Knowledge about spans only grows, and more knowledge only retracts turns, so every order of arrival ends the same.
 * `spans` must be in `calls` already. They are written to `thread_spans` before their relatives are read from it: when a
 * parent and its child are written at once, the one that reads later sees the other.
 */
export async function* deriveConversationTurns(store: Store, spans: readonly ThreadCall[]): Derivation {
  await store.insert(
    'thread_spans',
    spans.flatMap((span) => span.all_trace_ids.map((traceId) => toThreadSpanRow(traceId, span))),
  )
  const conversationSpans = spans.filter((span) => span.is_any_conversation)
  const { turns, retract, retractIfStored } = await classifySpans(store, conversationSpans)
  const first = [...turns, ...retract, ...(await onlyStoredTurns(store, retractIfStored))]
  await store.insert('turns', first)
  yield { changed: first }

  // Whoever wrote a parent in the meantime has looked for child turns to retract, perhaps before `turns` were stored.
  const storedTurns = new Set(turns.map((turn) => toCompoundKey(turn.project_id, turn.id)))
  const withParents = conversationSpans.filter(
    (span) => span.all_parent_ids.length > 0 && storedTurns.has(toCompoundKey(span.project_id, span.id)),
  )
  const again = await classifySpans(store, withParents)
  const second = await onlyStoredTurns(store, again.retractIfStored)
  await store.insert('turns', second)
  yield { changed: second }

  return await retractChildTurns(store, spans)
}

/**
 * Makes the row of `turns` for each span in each thread it was ever in. `turns` are turns of the thread. The others are
 * retracted rows: a span that is below another span of the thread was rarely stored as a turn, so only
 * `retractIfStored`; one that is deleted or belongs to another thread or turn is written in any case.
 */
async function classifySpans(store: Store, spans: readonly ThreadCall[]) {
  const parents = await readParents(store, spans)
  const rows: Record<'turns' | 'retract' | 'retractIfStored', TurnRow[]> = { turns: [], retract: [], retractIfStored: [] }
  for (const span of spans) {
    const namesOtherTurn = span.all_turn_ids.some((turnId) => turnId !== span.id)
    const parentThreadIds = toParentThreadIds(parents, span)
    for (const threadId of span.all_thread_ids) {
      const isOut = span.is_deleted || namesOtherTurn || span.max_thread_id !== threadId
      // A span with a turn id may be being stored as a turn right now, by a writer that does not know of the conversation.
      const mayBeStoring = span.all_turn_ids.length > 0
      const isTurn = !isOut && !parentThreadIds.has(threadId)
      const kind = isTurn ? 'turns' : isOut || mayBeStoring ? 'retract' : 'retractIfStored'
      rows[kind].push(toTurnRow(span, threadId, isTurn))
    }
  }
  return rows
}

const ParentRow = z.object({
  project_id: z.string(),
  trace_id: z.string(),
  id: z.string(),
  all_thread_ids: z.array(z.string()),
})
type ParentRow = z.infer<typeof ParentRow>

/** Spans by project and id. One id may be in several traces. */
type SpansById = ReadonlyMap<string, readonly ParentRow[]>

async function readParents(store: Store, spans: readonly ThreadCall[]): Promise<SpansById> {
  const parents = new Map<string, ParentRow[]>()
  const parentKeys = spans.flatMap((span) => span.all_parent_ids.map((id) => ({ project_id: span.project_id, id })))
  if (parentKeys.length === 0) return parents
  const statement = sql`
SELECT project_id, trace_id, id, groupUniqArrayArray(thread_ids) AS all_thread_ids
FROM thread_spans
WHERE ${keysIn(['project_id', 'trace_id'], toTraceKeys(spans))} AND ${keysIn(['project_id', 'id'], parentKeys)}
GROUP BY project_id, trace_id, id`
  for (const parent of await store.query(statement, ParentRow, { lane: 'write' })) {
    const key = toCompoundKey(parent.project_id, parent.id)
    const sameId = parents.get(key)
    if (sameId) sameId.push(parent)
    else parents.set(key, [parent])
  }
  return parents
}

/** The threads that parents of the span in one of its traces are in. Linear: a span may have thousands of each. */
function toParentThreadIds(parents: SpansById, span: ThreadCall): ReadonlySet<string> {
  const threadIds = new Set<string>()
  const traceIds = new Set(span.all_trace_ids)
  for (const parentId of span.all_parent_ids) {
    for (const parent of parents.get(toCompoundKey(span.project_id, parentId)) ?? []) {
      if (traceIds.has(parent.trace_id)) for (const threadId of parent.all_thread_ids) threadIds.add(threadId)
    }
  }
  return threadIds
}

/** The engine binds keys on the event loop, and a span may have hundreds of threads. */
const keysPerStatement = 2500

const TurnKeyRow = z.object({ project_id: z.string(), thread_id: z.string(), id: z.string() })

/** Those of the turns that `turns` has a row of. Retracting the others too would put every span into `turns`. */
async function onlyStoredTurns(store: Store, turns: readonly TurnRow[]): Promise<TurnRow[]> {
  const stored = new Set<string>()
  for (let start = 0; start < turns.length; start += keysPerStatement) {
    const slice = turns.slice(start, start + keysPerStatement)
    const statement = sql`
SELECT DISTINCT project_id, thread_id, id FROM turns
WHERE ${keysIn(['project_id', 'thread_id'], slice)} AND ${keysIn(['project_id', 'id'], slice)}`
    for (const row of await store.query(statement, TurnKeyRow, { lane: 'write' })) stored.add(toTurnText(row))
  }
  return turns.filter((turn) => stored.has(toTurnText(turn)))
}

function toTurnText({ project_id: projectId, thread_id: threadId, id }: TurnKey): string {
  return toCompoundKey(projectId, threadId, id)
}

const ChildRow = z.object({
  project_id: z.string(),
  trace_id: z.string(),
  id: z.string(),
  all_parent_ids: z.array(z.string()),
  all_thread_ids: z.array(z.string()),
  min_start: z.string(),
  max_end: z.nullable(z.string()),
})
type ChildRow = z.infer<typeof ChildRow>

/** One span may have a hundred thousand children. They are read in pages: a stream would keep a session from the writers. */
const childrenPerPage = 2000

/**
 * Retracts the children of these spans: they may have arrived before their parents and been stored as turns. Where one page
 * does not hold all children, each project goes on by itself.
 */
async function retractChildTurns(store: Store, spans: readonly ThreadCall[]): Promise<LastProgress> {
  const children = await readChildren(store, spans, undefined)
  const changed = await retractNested(store, spans, children)
  const last = children.at(-1)
  if (!last || children.length < childrenPerPage) return { changed }
  const rest = new Map<string, Derivation>()
  for (const [projectId, own] of groupByProject(spans, (span) => span.project_id)) {
    const ownLast = children.findLast((child) => child.project_id === projectId)
    rest.set(projectId, retractFurtherChildTurns(store, own, ownLast))
  }
  return { changed, rest }
}

async function* retractFurtherChildTurns(store: Store, spans: readonly ThreadCall[], after: ChildRow | undefined): Derivation {
  for (let last = after; ;) {
    const children = await readChildren(store, spans, last)
    const changed = await retractNested(store, spans, children)
    last = children.at(-1)
    if (!last || children.length < childrenPerPage) return { changed }
    yield { changed }
  }
}

/** Retracts those children that are turns of a thread that one of their parents is in. */
async function retractNested(store: Store, spans: readonly ThreadCall[], children: readonly ChildRow[]): Promise<TurnRow[]> {
  const threadIdsByParent = toThreadIdsByParent(spans)
  const nested = children.flatMap((child) => {
    const parentThreadIds = child.all_parent_ids.flatMap((parentId) => [
      ...(threadIdsByParent.get(toCompoundKey(child.project_id, child.trace_id, parentId)) ?? []),
    ])
    const inParentThreads = new Set(parentThreadIds)
    return child.all_thread_ids
      .filter((threadId) => inParentThreads.has(threadId))
      .map((threadId) => toTurnRow(child, threadId, false))
  })
  const turns = await onlyStoredTurns(store, nested)
  await store.insert('turns', turns)
  return turns
}

function toThreadIdsByParent(spans: readonly ThreadCall[]): Map<string, ReadonlySet<string>> {
  return new Map(
    spans.flatMap((span) => {
      const threadIds = new Set(span.all_thread_ids)
      return span.all_trace_ids.map((traceId) => [toCompoundKey(span.project_id, traceId, span.id), threadIds] as const)
    }),
  )
}

/** A page of the children of these spans. Most are among `spans` themselves: they are classified already, and left out. */
async function readChildren(store: Store, spans: readonly ThreadCall[], after: ChildRow | undefined): Promise<ChildRow[]> {
  return store.query(selectChildren(spans, after), ChildRow, { lane: 'write' })
}

function selectChildren(spans: readonly ThreadCall[], after: ChildRow | undefined): Sql {
  const parentIds = [...new Set(spans.map(({ id }) => id))]
  // hasAny() compares each parent of each span with each of the ids.
  const hasParent = sql`arrayExists(parent_id -> parent_id IN ${parentIds}, parent_ids)`
  const isAfter = after ? sql`AND (project_id, trace_id, id) > (${after.project_id}, ${after.trace_id}, ${after.id})` : sql``
  return sql`
SELECT project_id, trace_id, id, groupUniqArrayArray(parent_ids) AS all_parent_ids,
  groupUniqArrayArray(thread_ids) AS all_thread_ids, min(started_at) AS min_start, max(ended_at) AS max_end
FROM thread_spans
WHERE ${keysIn(['project_id', 'trace_id'], toTraceKeys(spans))} AND ${hasParent}
  AND NOT (${keysIn(['project_id', 'id'], spans)}) ${isAfter}
GROUP BY project_id, trace_id, id
HAVING max(is_conversation) = 1
ORDER BY project_id, trace_id, id
LIMIT ${uint64(childrenPerPage)}`
}

function toThreadSpanRow(traceId: string, span: ThreadCall) {
  return {
    project_id: span.project_id,
    trace_id: traceId,
    id: span.id,
    parent_ids: span.all_parent_ids,
    thread_ids: span.all_thread_ids,
    thread_id: span.max_thread_id,
    is_conversation: span.is_any_conversation ? 1 : 0,
    started_at: span.min_start,
    ended_at: span.max_end,
  }
}

function toTraceKeys(spans: readonly ThreadCall[]) {
  return spans.flatMap((span) => span.all_trace_ids.map((traceId) => ({ project_id: span.project_id, trace_id: traceId })))
}
