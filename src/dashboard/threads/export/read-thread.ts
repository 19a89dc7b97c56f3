import type { QueryClient } from '@tanstack/react-query'
import { receiveCall, type ReceivedCall } from '../../../contract/received-call'
import { ApiError } from '../../client/api-error'
import type { Connection } from '../../client/connection'
import { fetchJson } from '../../client/fetch-json'
import { waitForRetry } from '../../client/retry-schedule'
import { type PayloadField, pieceLength, readOn, toPayload } from '../../payload/call-payload'
import type { CallNode, CallTree } from '../calls/call-tree'
import { callTreeQuery } from '../calls/call-tree-query'
import type { ThreadTurn } from '../turns/thread-turn'
import type { ExportCounts, ExportedCall, ThreadPart } from './thread-content'

type Source = {
  turns: readonly ThreadTurn[]
  connection: Connection
  queryClient: QueryClient
  signal: AbortSignal
  /** Grows while the thread is read. */
  counts: ExportCounts
  /** Whether the server is waited for. */
  onWaiting: (isWaiting: boolean) => void
  /** Some calls were read. */
  onCalls: () => void
}

/** Read at once. The browser opens six connections, and the page needs some too. */
const callsAtOnce = 4

const fields = ['inputs', 'output', 'attributes', 'summary'] as const satisfies readonly PayloadField[]

/** All of a thread: each turn, then its calls in the order of the tree. A turn inside another one has its calls for itself. */
export async function* readThread(source: Source): AsyncGenerator<ThreadPart> {
  const { turns, counts } = source
  const turnIds = new Set(turns.map(({ id }) => id))
  for (const [index, turn] of turns.entries()) {
    yield { kind: 'turn', turn, number: index + 1 }
    counts.turns += 1
    const nodes = await readTree(turn, turnIds, source)
    const aboveUsage = findAboveUsage(nodes)
    for (let start = 0; start < nodes.length; start += callsAtOnce) {
      const some = nodes.slice(start, start + callsAtOnce).map((node, offset) => {
        const place = { turnId: turn.id, number: start + offset + 1, isAboveUsage: aboveUsage.has(node.call.id) }
        return readOneCall(node, place, source)
      })
      for (const call of await Promise.all(some)) {
        counts.calls += 1
        yield { kind: 'call', call }
      }
      source.onCalls()
    }
  }
}

/** The calls of a turn without those of the turns inside it. */
async function readTree(turn: ThreadTurn, turnIds: ReadonlySet<string>, source: Source): Promise<CallNode[]> {
  const { connection, queryClient, counts } = source
  try {
    const query = callTreeQuery({ turnId: turn.id, traceId: turn.traceId ?? '' }, connection)
    const { whole, brokenLines, isTruncated } = await retry(source, () =>
      queryClient.fetchQuery({ ...query, staleTime: 0, gcTime: 0 }),
    )
    if (brokenLines.length > 0 || isTruncated || whole.size === 0) counts.unlistedTurns += 1
    return withoutOtherTurns(whole, turn.id, turnIds)
  } catch (error) {
    source.signal.throwIfAborted()
    if (!(error instanceof ApiError)) throw error
    counts.unlistedTurns += 1
    return []
  }
}

function withoutOtherTurns(tree: CallTree, turnId: string, turnIds: ReadonlySet<string>): CallNode[] {
  const nodes: CallNode[] = []
  for (let index = 0; index < tree.size;) {
    const node = tree.nodes[index]
    if (!node) break
    const isOther = node.call.id !== turnId && turnIds.has(node.call.id)
    if (!isOther) nodes.push(node)
    index = isOther ? tree.endOf(node) : index + 1
  }
  return nodes
}

function findAboveUsage(nodes: readonly CallNode[]): ReadonlySet<string> {
  const above = new Set<string>()
  for (const { call, parent } of nodes) {
    if (call.prompt_tokens + call.completion_tokens === 0) continue
    for (let each = parent; each && !above.has(each.call.id); each = each.parent) above.add(each.call.id)
  }
  return above
}

async function readOneCall(
  { call, level }: CallNode,
  place: Pick<ExportedCall, 'turnId' | 'number' | 'isAboveUsage'>,
  source: Source,
): Promise<ExportedCall> {
  const { connection, signal, counts } = source
  const payloads: Record<PayloadField, readonly string[] | null | undefined> = {
    inputs: undefined,
    output: undefined,
    attributes: undefined,
    summary: undefined,
  }
  const nothing = { call, level, ...place, record: undefined, payloads }
  const input = {
    project_id: connection.projectId,
    id: call.id,
    include_costs: true,
    fields: [...fields],
    range: [0, pieceLength],
  }
  let record: ReceivedCall | null
  try {
    const reply = await retry(source, () => fetchJson(receiveCall, input, { connection, signal }))
    record = reply.call
    if (!record) throw new MissingCallError()
    for (const field of fields) {
      payloads[field] = await readPayload(call.id, field, toPayload(field, reply.parts, record[field]), source)
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ApiError || error instanceof MissingCallError)) throw error
    counts.unreadCalls += 1
    return nothing
  }
  return { ...nothing, record }
}

/** The call was deleted after the tree was read. */
class MissingCallError extends Error {
  override readonly name = 'MissingCallError'
}

/** A large value comes in pieces. One that changes or fails half way is left out as a whole, and counted. */
async function readPayload(id: string, field: PayloadField, first: ReturnType<typeof toPayload>, source: Source) {
  if (!first) return null
  const { connection, signal, counts } = source
  const pieces = [first.text]
  try {
    let last = first
    while (last.to < first.length) {
      last = await retry(source, async () => {
        const next = await readOn(last, first.length, { id, field, connection, signal }).next()
        if (next.done) throw new Error('The value ended early.')
        return next.value
      })
      pieces.push(last.text)
    }
    return pieces
  } catch {
    signal.throwIfAborted()
    counts.unreadValues += 1
    return undefined
  }
}

/** Sends again what failed for want of the server, until it succeeds or the export is stopped. */
async function retry<Value>({ signal, onWaiting }: Source, read: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      const value = await read()
      onWaiting(false)
      return value
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ApiError) || !error.isTransient) throw error
      onWaiting(true)
      await waitForRetry()
      signal.throwIfAborted()
    }
  }
}
