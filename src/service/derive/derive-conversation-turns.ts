import * as z from 'zod/mini'
import type { Store } from '../store/store'
import type { TurnKey } from './derive-threads'
import { type ThreadCall, type TurnRow, turnRow } from './thread-call'

const selectParents = `
SELECT trace_id, id, groupUniqArrayArray(thread_ids) AS all_thread_ids
FROM thread_spans
WHERE project_id = {project_id:String} AND trace_id IN {trace_ids:Array(String)} AND id IN {ids:Array(String)}
GROUP BY trace_id, id`

const selectChildren = `
SELECT trace_id, id, groupUniqArrayArray(parent_ids) AS all_parent_ids, groupUniqArrayArray(thread_ids) AS all_thread_ids,
  min(started_at) AS least_start, max(ended_at) AS greatest_end
FROM thread_spans
WHERE project_id = {project_id:String} AND trace_id IN {trace_ids:Array(String)} AND hasAny(parent_ids, {ids:Array(String)})
  AND (trace_id, id) > ({after_trace_id:String}, {after_id:String})
GROUP BY trace_id, id
HAVING max(is_conversation) = 1
ORDER BY trace_id, id
LIMIT {limit:UInt32}`

const selectTurns = `
SELECT DISTINCT thread_id, id FROM turns
WHERE project_id = {project_id:String} AND thread_id IN {thread_ids:Array(String)} AND id IN {ids:Array(String)}`

const Turn = z.object({ thread_id: z.string(), id: z.string() })
const Parent = z.object({ trace_id: z.string(), id: z.string(), all_thread_ids: z.array(z.string()) })
const Child = z.object({
  trace_id: z.string(),
  id: z.string(),
  all_parent_ids: z.array(z.string()),
  all_thread_ids: z.array(z.string()),
  least_start: z.string(),
  greatest_end: z.nullable(z.string()),
})

/** One span may have a hundred thousand below it. In pages, because a stream would keep a session from those who write. */
const childrenPerPage = 10_000

/** Threads by span, a span being named by its trace and its id. */
class ThreadsOfSpans {
  private readonly threadIds = new Map<string, Set<string>>()

  add(traceId: string, id: string, threadIds: Iterable<string>): void {
    const key = `${traceId} ${id}`
    this.threadIds.set(key, new Set([...(this.threadIds.get(key) ?? []), ...threadIds]))
  }

  isMember(traceId: string, id: string, threadId: string): boolean {
    return this.threadIds.get(`${traceId} ${id}`)?.has(threadId) ?? false
  }
}

/**
 * Writes the turns of conversations that these spans make or take back: a span is a turn where no parent that was ever
 * said of it was ever in the thread. Whether it was said to be a turn counts for nothing there, unless another call was.
 *
 * What is known of spans only grows, and more knowledge only ever takes turns back, so every order of arrival ends the
 * same. `spans` are in the store already; they are written to `thread_spans` before their relatives are read from it,
 * so of a parent and a child written at once the later to read sees the other. Answers with the turns that changed.
 */
export async function deriveConversationTurns(store: Store, projectId: string, spans: readonly ThreadCall[]): Promise<TurnKey[]> {
  await store.insert(
    'thread_spans',
    spans.flatMap((span) => span.all_trace_ids.map((traceId) => threadSpanRow(projectId, traceId, span))),
  )
  const changed: TurnKey[] = []
  const write = async (turns: readonly TurnRow[]) => {
    await store.insert('turns', turns)
    for (const turn of turns) changed.push(turn)
  }
  const conversations = spans.filter((span) => span.is_any_conversation === 1)
  const { turns, never, below } = await placesOf(store, projectId, conversations)
  await write([...turns, ...never, ...(await thoseWritten(store, projectId, below))])
  // Who wrote a parent meanwhile has looked for turns to take back, and may have looked before these were there.
  const orphans = conversations.filter(
    ({ id, all_parent_ids }) => all_parent_ids.length > 0 && turns.some((turn) => turn.id === id),
  )
  await write(await thoseWritten(store, projectId, (await placesOf(store, projectId, orphans)).below))
  for await (const children of childrenBelow(store, projectId, spans)) await write(await thoseWritten(store, projectId, children))
  return changed
}

/** Of each thread that a span was ever in: whether it is a turn there, is none for good, or stands below another of it. */
async function placesOf(store: Store, projectId: string, conversations: readonly ThreadCall[]) {
  const parents = await parentsOf(store, projectId, conversations)
  const places: Record<'turns' | 'never' | 'below', TurnRow[]> = { turns: [], never: [], below: [] }
  for (const span of conversations) {
    const isOfAnotherTurn = span.all_turn_ids.some((turnId) => turnId !== span.id)
    for (const threadId of span.all_thread_ids) {
      const isBelow = span.all_trace_ids.some((traceId) =>
        span.all_parent_ids.some((parentId) => parents.isMember(traceId, parentId, threadId)),
      )
      const hasMoved = isOfAnotherTurn || span.last_thread_id !== threadId
      // What was said to be a turn may be being written as one right now, by who does not know of the conversation.
      const place = hasMoved || (isBelow && span.all_turn_ids.length > 0) ? 'never' : isBelow ? 'below' : 'turns'
      places[place].push(turnRow(projectId, span, threadId, place === 'turns'))
    }
  }
  return places
}

async function parentsOf(store: Store, projectId: string, spans: readonly ThreadCall[]): Promise<ThreadsOfSpans> {
  const parents = new ThreadsOfSpans()
  const ids = new Set(spans.flatMap((span) => span.all_parent_ids))
  if (ids.size === 0) return parents
  const params = { project_id: projectId, trace_ids: traceIdsOf(spans), ids: [...ids] }
  for (const { trace_id, id, all_thread_ids } of await store.query(selectParents, params, Parent, { lane: 'write' })) {
    parents.add(trace_id, id, all_thread_ids)
  }
  return parents
}

/** Most spans never were a turn: only what was written as one has to be taken back, or `turns` would hold every span. */
async function thoseWritten(store: Store, projectId: string, turns: readonly TurnRow[]): Promise<TurnRow[]> {
  if (turns.length === 0) return []
  const threadIds = [...new Set(turns.map((turn) => turn.thread_id))]
  const params = { project_id: projectId, thread_ids: threadIds, ids: turns.map(({ id }) => id) }
  const rows = await store.query(selectTurns, params, Turn, { lane: 'write' })
  const written = new Set(rows.map((row) => `${row.id} ${row.thread_id}`))
  return turns.filter((turn) => written.has(`${turn.id} ${turn.thread_id}`))
}

/** What children of these spans are no turns of: they may have arrived before their parents, and been turns until now. */
async function* childrenBelow(store: Store, projectId: string, spans: readonly ThreadCall[]) {
  const own = new Set(spans.map(({ id }) => id))
  const parents = new ThreadsOfSpans()
  for (const span of spans) for (const traceId of span.all_trace_ids) parents.add(traceId, span.id, span.all_thread_ids)
  const params = { project_id: projectId, trace_ids: traceIdsOf(spans), ids: [...own], limit: childrenPerPage }
  let after = { trace_id: '', id: '' }
  for (;;) {
    const page = { ...params, after_trace_id: after.trace_id, after_id: after.id }
    const children = await store.query(selectChildren, page, Child, { lane: 'write' })
    yield children
      .filter(({ id }) => !own.has(id))
      .flatMap((child) =>
        child.all_thread_ids
          .filter((threadId) => child.all_parent_ids.some((parentId) => parents.isMember(child.trace_id, parentId, threadId)))
          .map((threadId) => turnRow(projectId, child, threadId, false)),
      )
    const last = children.at(-1)
    if (!last || children.length < childrenPerPage) return
    after = last
  }
}

function threadSpanRow(projectId: string, traceId: string, span: ThreadCall) {
  return {
    project_id: projectId,
    trace_id: traceId,
    id: span.id,
    parent_ids: span.all_parent_ids,
    thread_ids: span.all_thread_ids,
    thread_id: span.last_thread_id,
    is_conversation: span.is_any_conversation,
    started_at: span.least_start,
    ended_at: span.greatest_end,
  }
}

function traceIdsOf(spans: readonly ThreadCall[]): string[] {
  return [...new Set(spans.flatMap((span) => span.all_trace_ids))]
}
