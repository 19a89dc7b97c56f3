import * as z from 'zod/mini'
import { type Sql, sql, uint64 } from '../store/sql'
import type { Store } from '../store/store'
import type { TurnKey } from './derive-threads'
import { type ThreadCall, toTurnRow, type TurnRow } from './thread-call'

/**
 * Derives the turns of OTLP conversations from these spans, and retracts turns that they take the place of. A span is a turn
 * of a thread if none of its parents, as reported by any part, is in that thread. Its own `turn_id` counts only where it
 * names another call: then the span is no turn. Returns the keys of the turns that were written.
 *
 * Knowledge about spans only grows, and more knowledge only retracts turns, so every order of arrival ends the same.
 * `spans` must be in `calls` already. They are written to `thread_spans` before their relatives are read from it: when a
 * parent and its child are written at once, the one that reads later sees the other.
 */
export async function deriveConversationTurns(store: Store, projectId: string, spans: readonly ThreadCall[]): Promise<TurnKey[]> {
  const changed: TurnKey[] = []
  const writeTurns = async (turns: readonly TurnRow[]) => {
    await store.insert('turns', turns)
    for (const turn of turns) changed.push(turn)
  }

  await store.insert(
    'thread_spans',
    spans.flatMap((span) => span.all_trace_ids.map((traceId) => toThreadSpanRow(projectId, traceId, span))),
  )
  const conversationSpans = spans.filter((span) => span.is_any_conversation)
  const { turns, retract, retractIfStored } = await classifySpans(store, projectId, conversationSpans)
  await writeTurns([...turns, ...retract, ...(await onlyStoredTurns(store, projectId, retractIfStored))])

  // Whoever wrote a parent in the meantime has looked for child turns to retract, perhaps before `turns` were stored.
  const turnIds = new Set(turns.map(({ id }) => id))
  const withParents = conversationSpans.filter((span) => span.all_parent_ids.length > 0 && turnIds.has(span.id))
  const second = await classifySpans(store, projectId, withParents)
  await writeTurns(await onlyStoredTurns(store, projectId, second.retractIfStored))

  for await (const children of nestedChildren(store, projectId, spans)) {
    await writeTurns(await onlyStoredTurns(store, projectId, children))
  }
  return changed
}

/**
 * Makes the row of `turns` for each span in each thread it was ever in. `turns` are turns of the thread. The others are
 * retracted rows: a span that is below another span of the thread was rarely stored as a turn, so only
 * `retractIfStored`; one that belongs to another thread or turn is written in any case.
 */
async function classifySpans(store: Store, projectId: string, spans: readonly ThreadCall[]) {
  const parents = await readParents(store, projectId, spans)
  const rows: Record<'turns' | 'retract' | 'retractIfStored', TurnRow[]> = { turns: [], retract: [], retractIfStored: [] }
  for (const span of spans) {
    const namesOtherTurn = span.all_turn_ids.some((turnId) => turnId !== span.id)
    for (const threadId of span.all_thread_ids) {
      const isNested = span.all_trace_ids.some((traceId) =>
        span.all_parent_ids.some((parentId) => parents.has(traceId, parentId, threadId)),
      )
      const hasMoved = namesOtherTurn || span.max_thread_id !== threadId
      // A span with a turn id may be being stored as a turn right now, by a writer that does not know of the conversation.
      const mayBeStoring = span.all_turn_ids.length > 0
      const kind = !hasMoved && !isNested ? 'turns' : hasMoved || mayBeStoring ? 'retract' : 'retractIfStored'
      rows[kind].push(toTurnRow(projectId, span, threadId, kind === 'turns'))
    }
  }
  return rows
}

/** Which spans are in which threads. A span is known by its trace and its id. */
class SpanThreads {
  private readonly threadIds = new Map<string, Set<string>>()

  add(traceId: string, id: string, threadIds: Iterable<string>): void {
    const key = `${traceId} ${id}`
    this.threadIds.set(key, new Set([...(this.threadIds.get(key) ?? []), ...threadIds]))
  }

  has(traceId: string, id: string, threadId: string): boolean {
    return this.threadIds.get(`${traceId} ${id}`)?.has(threadId) ?? false
  }
}

const ParentRow = z.object({ trace_id: z.string(), id: z.string(), all_thread_ids: z.array(z.string()) })

async function readParents(store: Store, projectId: string, spans: readonly ThreadCall[]): Promise<SpanThreads> {
  const parents = new SpanThreads()
  const ids = [...new Set(spans.flatMap((span) => span.all_parent_ids))]
  if (ids.length === 0) return parents
  const statement = sql`
SELECT trace_id, id, groupUniqArrayArray(thread_ids) AS all_thread_ids
FROM thread_spans
WHERE project_id = ${projectId} AND trace_id IN ${toTraceIds(spans)} AND id IN ${ids}
GROUP BY trace_id, id`
  for (const parent of await store.query(statement, ParentRow, { lane: 'write' })) {
    parents.add(parent.trace_id, parent.id, parent.all_thread_ids)
  }
  return parents
}

const TurnKeyRow = z.object({ thread_id: z.string(), id: z.string() })

/** Those of the turns that `turns` has a row of. Retracting the others too would put every span into `turns`. */
async function onlyStoredTurns(store: Store, projectId: string, turns: readonly TurnRow[]): Promise<TurnRow[]> {
  if (turns.length === 0) return []
  const threadIds = [...new Set(turns.map((turn) => turn.thread_id))]
  const statement = sql`
SELECT DISTINCT thread_id, id FROM turns
WHERE project_id = ${projectId} AND thread_id IN ${threadIds} AND id IN ${turns.map(({ id }) => id)}`
  const rows = await store.query(statement, TurnKeyRow, { lane: 'write' })
  const stored = new Set(rows.map((row) => `${row.id} ${row.thread_id}`))
  return turns.filter((turn) => stored.has(`${turn.id} ${turn.thread_id}`))
}

const ChildRow = z.object({
  trace_id: z.string(),
  id: z.string(),
  all_parent_ids: z.array(z.string()),
  all_thread_ids: z.array(z.string()),
  min_start: z.string(),
  max_end: z.nullable(z.string()),
})

/** One span may have a hundred thousand children. They are read in pages: a stream would keep a session from the writers. */
const childrenPerPage = 10_000

/** Retracted rows for the children of these spans: they may have arrived before their parents and been stored as turns. */
async function* nestedChildren(store: Store, projectId: string, spans: readonly ThreadCall[]) {
  const parentIds = [...new Set(spans.map(({ id }) => id))]
  const traceIds = toTraceIds(spans)
  const parents = new SpanThreads()
  for (const span of spans) for (const traceId of span.all_trace_ids) parents.add(traceId, span.id, span.all_thread_ids)
  const classified = new Set(parentIds)
  let last = { trace_id: '', id: '' }
  for (;;) {
    const children = await store.query(selectChildren(projectId, traceIds, parentIds, last), ChildRow, { lane: 'write' })
    yield children
      .filter(({ id }) => !classified.has(id))
      .flatMap((child) =>
        child.all_thread_ids
          .filter((threadId) => child.all_parent_ids.some((parentId) => parents.has(child.trace_id, parentId, threadId)))
          .map((threadId) => toTurnRow(projectId, child, threadId, false)),
      )
    const lastOfPage = children.at(-1)
    if (!lastOfPage || children.length < childrenPerPage) return
    last = lastOfPage
  }
}

function selectChildren(
  projectId: string,
  traceIds: readonly string[],
  parentIds: readonly string[],
  after: { trace_id: string; id: string },
): Sql {
  return sql`
SELECT trace_id, id, groupUniqArrayArray(parent_ids) AS all_parent_ids, groupUniqArrayArray(thread_ids) AS all_thread_ids,
  min(started_at) AS min_start, max(ended_at) AS max_end
FROM thread_spans
WHERE project_id = ${projectId} AND trace_id IN ${traceIds} AND hasAny(parent_ids, ${parentIds})
  AND (trace_id, id) > (${after.trace_id}, ${after.id})
GROUP BY trace_id, id
HAVING max(is_conversation) = 1
ORDER BY trace_id, id
LIMIT ${uint64(childrenPerPage)}`
}

function toThreadSpanRow(projectId: string, traceId: string, span: ThreadCall) {
  return {
    project_id: projectId,
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

function toTraceIds(spans: readonly ThreadCall[]): string[] {
  return [...new Set(spans.flatMap((span) => span.all_trace_ids))]
}
