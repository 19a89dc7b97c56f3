import type * as z from 'zod/mini'
import type { streamTurns, Turn } from '../../contract/turns'
import { TimeSlices } from '../lib/time-slices'
import { PriceBook } from '../pricing/price-book'
import { readSpentCalls } from '../spend/read-spent-calls'
import type { QueryOptions, Store } from '../store/store'
import { assignCalls } from '../traces/assign-calls'
import { findFirstFailures } from '../traces/find-first-failures'
import { readTraceCalls } from '../traces/read-trace-calls'
import { findFirstWords } from './find-first-words'
import { readFailures } from './read-failures'
import { readTraceSizes, readTurnHeads, readTurnIds, readTurnRows, type TurnHead, type TurnRow } from './read-turn-rows'
import { TurnTotal } from './turn-total'

type Input = z.output<typeof streamTurns.request>

/** The first rows must not wait for the calls of thousands of turns. */
const turnsInFirstStep = 100
/**
 * Each step is six statements, and most take as long for 500 turns as for 2500 (30 to 70 ms of a processor). The inputs of a
 * step are in memory: 80 MB at most.
 */
const turnsPerStep = 2500
/** The calls of so many are held in memory, or those of one trace. */
const callsPerPart = 20_000

/** The turns of a thread, in parts. Call `TurnDeriver.flush` and `SpendDeriver.flush` first. */
export async function* listTurns(store: Store, input: Input, reader: QueryOptions): AsyncGenerator<Turn[]> {
  const { project_id: projectId, thread_id: threadId } = input
  const options: QueryOptions = { ...reader, lane: 'scan' }
  const rows = await readTurnRows(store, { projectId, threadId, page: input }, options)
  if (rows.length === 0) return
  const turnIds = await readTurnIds(store, { projectId, threadId }, options)
  const prices = new PriceBook(store, projectId)
  const context = { store, projectId, threadId, turnIds, options, prices, slices: new TimeSlices() }
  for (let start = 0; start < rows.length;) {
    const step = rows.slice(start, start + (start === 0 ? turnsInFirstStep : turnsPerStep))
    start += step.length
    const ids = step.map(({ id }) => id)
    const heads = await readTurnHeads(store, projectId, ids, options)
    const traceIds = [...new Set([...heads.values()].map(({ trace_id: id }) => id))]
    const sizes = await readTraceSizes(store, projectId, traceIds, options)
    // A turn that has just been deleted has no head.
    const turns = step.flatMap((row) => {
      const head = heads.get(row.id)
      return head ? [{ row, head }] : []
    })
    for (const part of splitBySize(turns, sizes)) yield await describeTurns(part, context)
  }
}

type StoredTurn = { row: TurnRow; head: TurnHead }

/** Turns one after the other, so many that their traces have about `callsPerPart` calls. */
function* splitBySize(turns: readonly StoredTurn[], sizeByTrace: ReadonlyMap<string, number>): Generator<StoredTurn[]> {
  let part: StoredTurn[] = []
  let traceIds = new Set<string>()
  let callCount = 0
  for (const turn of turns) {
    const { trace_id: traceId } = turn.head
    const size = traceIds.has(traceId) ? 0 : (sizeByTrace.get(traceId) ?? 0)
    if (part.length > 0 && size > 0 && callCount + size > callsPerPart) {
      yield part
      part = []
      traceIds = new Set()
      callCount = 0
    }
    part.push(turn)
    traceIds.add(traceId)
    callCount += size
  }
  if (part.length > 0) yield part
}

type Context = {
  store: Store
  projectId: string
  threadId: string
  /** Of the whole thread. */
  turnIds: ReadonlySet<string>
  options: QueryOptions
  prices: PriceBook
  slices: TimeSlices
}

async function describeTurns(turns: readonly StoredTurn[], context: Context): Promise<Turn[]> {
  const { store, projectId, turnIds, options, slices } = context
  const traceIds = [...new Set(turns.map(({ head }) => head.trace_id))]
  const callsByTrace = await readTraceCalls(store, { projectId, traceIds, slices }, options)
  const callCountByTurn = new Map<string, number>()
  const turnIdByCall = new Map<string, string>()
  const failedCallByTurn = new Map<string, string>()
  let firstStart = ''
  let lastStart = ''
  for (const trace of callsByTrace.values()) {
    const calls = trace.map((call) => Object.assign(call, { is_turn: turnIds.has(call.id) }))
    const assignment = await assignCalls(calls, slices)
    for (const [id, turnId] of assignment.turnIdByCall) {
      turnIdByCall.set(id, turnId)
      callCountByTurn.set(turnId, (callCountByTurn.get(turnId) ?? 0) + 1)
    }
    const failures = await findFirstFailures(calls, assignment.aboveFailure, slices)
    for (const { is_turn: isTurn, id } of calls) {
      const failedId = isTurn ? failures.get(id) : undefined
      if (failedId !== undefined) failedCallByTurn.set(id, failedId)
    }
    for (const { started_at: start } of trace) {
      if (firstStart === '' || start < firstStart) firstStart = start
      if (start > lastStart) lastStart = start
    }
  }
  const judged = turns.map((turn) => Object.assign(turn, judge(turn, failedCallByTurn.get(turn.row.id))))
  const failures = await readFailures(store, projectId, [...new Set(judged.flatMap(({ failedId }) => failedId ?? []))], options)
  const totals = await sumSpent(turnIdByCall, { first: firstStart, last: lastStart }, context)
  const described: Turn[] = []
  for (const { row, head, status, failedId } of judged) {
    if (slices.isOver) await slices.next()
    const total = totals.get(row.id) ?? new TurnTotal()
    const failure = failures.get(failedId ?? '')
    described.push({
      ...toTurnHead(row, head),
      status,
      ...(failure && { failure }),
      call_count: callCountByTurn.get(row.id) ?? 1,
      ...total.figures,
    })
  }
  return described
}

/** What the calls spent, by turn, from the derived table: what each spent itself is worked out from its whole trace already. */
async function sumSpent(
  turnIdByCall: ReadonlyMap<string, string>,
  starts: { first: string; last: string },
  { store, projectId, threadId, options, prices, slices }: Context,
): Promise<ReadonlyMap<string, TurnTotal>> {
  const totals = new Map<string, TurnTotal>()
  if (starts.last === '') return totals
  for await (const calls of readSpentCalls(store, { projectId, threadIds: [threadId], starts }, options)) {
    const ofTurns = calls.flatMap((call) => {
      const turnId = turnIdByCall.get(call.id)
      return turnId === undefined ? [] : [{ call, turnId }]
    })
    await prices.load(
      ofTurns.flatMap(({ call }) => call.shares.map(({ model }) => model)),
      options,
    )
    for (const { call, turnId } of ofTurns) {
      if (slices.isOver) await slices.next()
      const total = totals.get(turnId) ?? new TurnTotal()
      totals.set(turnId, total)
      total.add(
        call.shares.map(({ model, usage }) => ({
          model,
          usage,
          price: prices.findPrice(model, call.startedAt, call.provider ?? undefined),
        })),
      )
    }
  }
  return totals
}

/** `failedId` is the call whose exception tells why the turn failed. */
function judge({ row, head }: StoredTurn, failedBelow: string | undefined): { status: Turn['status']; failedId?: string } {
  if (head.has_failed) return { status: 'error', failedId: row.id }
  if (row.ended_at === null) return { status: 'running' }
  return failedBelow === undefined ? { status: 'success' } : { status: 'descendant_error', failedId: failedBelow }
}

function toTurnHead(row: TurnRow, head: TurnHead) {
  return {
    id: row.id,
    trace_id: head.trace_id,
    name: head.name,
    first_words: head.short_inputs === '' ? null : findFirstWords(JSON.parse(head.short_inputs)),
    started_at: row.started_at,
    ended_at: row.ended_at,
    duration_ms: row.duration_us === null ? null : row.duration_us / 1000,
  } satisfies Partial<Turn>
}
