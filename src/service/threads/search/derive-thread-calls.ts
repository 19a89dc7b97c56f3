import * as z from 'zod/mini'
import { isConsistentSql } from '../../derive/inconsistent-calls'
import { deriveInGroups, type TraceGroup } from '../../derive/trace-members'
import { type RowLimits, WrittenRows } from '../../derive/written-rows'
import { toCompoundKey } from '../../lib/compound-key'
import { LastValues } from '../../lib/last-values'
import type { TimeSlices } from '../../lib/time-slices'
import { toEngineTime } from '../../store/engine-time'
import { callsWhere, endUserSql } from '../../store/merged-calls'
import { count, flag, nullableEngineTime, textOrNull } from '../../store/row-types'
import { splitIds } from '../../store/split-ids'
import { joinSql, type Sql, sql, uint64 } from '../../store/sql'
import type { CommandOptions, QueryOptions, Store } from '../../store/store'
import { isTooLarge } from '../../store/store-error'
import { placeCalls } from '../../traces/place-calls'
import { minCalls, InsertSize } from './insert-size'
import { wordsOfCall } from './words'

// `thread_calls` has a row for each call of a thread: which turn it is of, whether it failed, its op, its user and its words.
// Which thread and turn a call is of depends on its whole trace, so the unit of the derivation is a trace, as for
// `spent_calls` (derive-spends.ts). Keys and versions are the same too: a row for each start that the call ever had, and of
// two derivations the one that knew more parts counts.
//
// To find the words of a call takes much longer than all else, so only rows that say something new are written.

/** Traces are derived together until they have so many calls. */
const callsPerGroup = 10_000
const maxRememberedProjects = 1000
const partsFactor = 2n ** 40n

/** Makes a function that writes the rows of the calls of these traces. It remembers what it wrote for long traces. */
export function createThreadCallDerivation(limits?: RowLimits) {
  const written = new WrittenRows<ThreadCall>((row) => ({ ...row, version: ownParts(row) }), limits)
  // The calls of one project may be large and those of another small.
  const insertSizes = new LastValues<InsertSize>(maxRememberedProjects)
  return deriveInGroups(callsPerGroup, async (...args) => deriveGroup({ written, insertSizes }, ...args))
}

type Memory = { written: WrittenRows<ThreadCall>; insertSizes: LastValues<InsertSize> }

const MemberRow = z.object({
  id: z.string(),
  trace_id: z.string(),
  parent_id: textOrNull,
  thread_id: textOrNull,
  turn_id: textOrNull,
  op_name: z.string(),
  is_conversation: flag,
  started_at: nullableEngineTime,
  starts: z.array(z.string()),
  has_failed: flag,
  is_deleted: flag,
  is_consistent: flag,
  part_count: count,
})
type Member = z.infer<typeof MemberRow> & { user_id: string | null }

/** A row of `thread_calls` without the words. Of a call that is not counted only the key says something. */
const ThreadCall = z.object({
  started_at: z.string(),
  id: z.string(),
  is_counted: z.number(),
  thread_id: z.string(),
  turn_started_at: z.string(),
  op_name: z.string(),
  user_id: z.string(),
  has_failed: z.number(),
  version: z.string(),
})
type ThreadCall = z.infer<typeof ThreadCall>

async function deriveGroup(
  { written, insertSizes }: Memory,
  store: Store,
  projectId: string,
  group: TraceGroup,
  options: QueryOptions,
  slices: TimeSlices,
): Promise<void> {
  const members = await readCalls(store, projectId, group.isMember, options)
  const inconsistent = [...members.values()].filter((call) => !call.is_consistent)
  await store.insert(
    'inconsistent_calls',
    inconsistent.map(({ id }) => ({ project_id: projectId, id })),
    { share: options.share },
  )
  const changed = written.begin()
  for (const { trace_id: traceId, ids } of group.traces) {
    const own = ids.flatMap((id) => members.get(id) ?? [])
    await changed.add(toCompoundKey(projectId, traceId), await toRows(traceId, own, slices), slices)
  }
  const stored = await readStored(store, projectId, changed.rows, options)
  const news = changed.rows.filter((row) => isNews(row, stored.get(toKey(row)), store.isShared))
  // In the background it gives way to all else; a reader waits for it.
  const { share } = options
  const priority = options.lane === 'scan' ? { share, lane: 'scan' as const } : { share }
  const counted = news.filter((row) => row.is_counted === 1)
  const insertSize = insertSizes.get(projectId, '') ?? insertSizes.set(projectId, '', new InsertSize())
  for (let start = 0; start < counted.length;) {
    // A server gets the list in its URL, of at most a megabyte.
    const rows = counted.slice(start, start + (store.isShared ? minCalls : insertSize.current))
    const startMs = performance.now()
    await insertCounted(store, projectId, rows, priority)
    insertSize.note(rows.length, performance.now() - startMs)
    start += rows.length
  }
  const others = news.filter((row) => row.is_counted === 0)
  await store.insert(
    'thread_calls',
    others.map((row) => Object.assign(row, { project_id: projectId, words: [] })),
    { share },
  )
  if (!store.isShared) changed.keep()
}

const UserRow = z.object({ id: z.string(), user_id: textOrNull })

/** The calls by id. Users are read only where a call has a thread: no other trace gets rows. */
async function readCalls(store: Store, projectId: string, isMember: Sql, options: QueryOptions) {
  const members = new Map<string, Member>()
  const slowStart = { ...options, hasSlowStart: true }
  let hasThreads = false
  for await (const rows of store.stream(selectMembers(projectId, isMember), MemberRow, slowStart)) {
    for (const row of rows) {
      members.set(row.id, { ...row, user_id: null })
      hasThreads ||= row.thread_id !== null
    }
  }
  if (!hasThreads) return members
  const users = sql`SELECT id, user_id FROM (SELECT id, ${endUserSql} AS user_id FROM ${callsWhere(projectId, isMember)})
WHERE user_id != ''`
  for await (const rows of store.stream(users, UserRow, slowStart)) {
    for (const { id, user_id } of rows) {
      const member = members.get(id)
      if (member) member.user_id = user_id
    }
  }
  return members
}

function selectMembers(projectId: string, isMember: Sql): Sql {
  return sql`SELECT id, max(calls.trace_id) AS trace_id, max(calls.parent_id) AS parent_id, max(calls.thread_id) AS thread_id,
  max(calls.turn_id) AS turn_id, max(calls.op_name) AS op_name, max(calls.is_conversation) AS is_conversation,
  min(calls.started_at) AS started_at, groupUniqArrayArray(calls.all_starts) AS starts,
  max(calls.exception) IS NOT NULL AS has_failed, max(calls.deleted_at) IS NOT NULL AS is_deleted,
  ${isConsistentSql} AS is_consistent,
  sum(calls.part_count) AS part_count
FROM calls WHERE calls.project_id = ${projectId} AND ${isMember} GROUP BY id`
}

function isShown(call: Member): call is Member & { started_at: string } {
  return call.started_at !== null && !call.is_deleted
}

/** The rows of the calls that are in the trace now. Members that have left it have theirs from the trace that they are in. */
async function toRows(traceId: string, members: readonly Member[], slices: TimeSlices): Promise<ThreadCall[]> {
  const partsOfTrace = members.reduce((sum, member) => sum + BigInt(member.part_count), 0n)
  const trace = members.filter((member) => member.trace_id === traceId)
  const placeById = await placeCalls(
    trace.flatMap((call) => (isShown(call) ? [call] : [])),
    slices,
  )
  const rows: ThreadCall[] = []
  for (const call of trace) {
    if (slices.isOver) await slices.next()
    const place = placeById.get(call.id)
    const first = call.started_at === null ? '' : toEngineTime(call.started_at)
    const version = String(BigInt(call.part_count) * partsFactor + partsOfTrace)
    for (const start of call.starts) {
      const { threadId = null, userId = null, turnStartedAt } = start === first ? (place ?? {}) : {}
      rows.push({
        started_at: start,
        id: call.id,
        is_counted: threadId === null ? 0 : 1,
        thread_id: threadId ?? '',
        turn_started_at: turnStartedAt === undefined ? start : toEngineTime(turnStartedAt),
        op_name: call.op_name,
        user_id: userId ?? '',
        has_failed: call.has_failed ? 1 : 0,
        version,
      })
    }
  }
  return rows
}

function toKey({ started_at, id }: Pick<ThreadCall, 'started_at' | 'id'>): string {
  return `${started_at} ${id}`
}

async function readStored(store: Store, projectId: string, rows: readonly ThreadCall[], options: QueryOptions) {
  const stored = new Map<string, ThreadCall>()
  for (const some of splitIds(rows)) {
    const ids = [...new Set(some.map(({ id }) => id))]
    const starts = [...new Set(some.map((row) => row.started_at))]
    // The starts are bound as text: with FINAL the engine computes an expression there again and again (26.7).
    const statement = sql`SELECT started_at, id, is_counted, thread_id, turn_started_at, op_name, user_id, has_failed, version
FROM thread_calls FINAL
WHERE project_id = ${projectId} AND started_at IN ${starts} AND id IN ${ids}`
    for await (const found of store.stream(statement, ThreadCall, options)) for (const row of found) stored.set(toKey(row), row)
  }
  return stored
}

/**
 * Whether the row has to be written. In a store that others write to as well, a row of a higher version is written even if
 * it says the same: it must stand against what others derive from fewer parts.
 */
function isNews(row: ThreadCall, stored: ThreadCall | undefined, isShared: boolean): boolean {
  if (!stored) return row.is_counted === 1
  if (isShared && row.version !== stored.version) return true
  if (row.is_counted === 0) return stored.is_counted === 1
  // The words may be others where the call has more parts.
  const hasMoreParts = ownParts(row) !== ownParts(stored)
  return hasMoreParts || fields.some((field) => row[field] !== stored[field])
}

/** The number of the call's own parts. */
function ownParts({ version }: ThreadCall): string {
  return String(BigInt(version) / partsFactor)
}

const fields = ['is_counted', 'thread_id', 'turn_started_at', 'op_name', 'user_id', 'has_failed'] as const

/** Calls that are too large together are halved. One that is too large alone fails, and its trace is set aside. */
async function insertCounted(
  store: Store,
  projectId: string,
  rows: readonly ThreadCall[],
  options: CommandOptions,
): Promise<void> {
  try {
    await store.command(insertWithWords(projectId, rows), options)
  } catch (error) {
    if (rows.length < 2 || !isTooLarge(error)) throw error
    const middle = rows.length >> 1
    for (const half of [rows.slice(0, middle), rows.slice(middle)]) await insertCounted(store, projectId, half, options)
  }
}

function insertWithWords(projectId: string, rows: readonly ThreadCall[]): Sql {
  return sql`INSERT INTO thread_calls
  (project_id, started_at, id, is_counted, thread_id, turn_started_at, op_name, user_id, has_failed, words, version)
WITH ${toList(rows)} AS list
SELECT ${projectId}, toDateTime64(row.2, 6, 'UTC'), id, 1, row.3, toDateTime64(row.4, 6, 'UTC'), row.5, row.6,
  toUInt8(row.7), words, toUInt64(row.8)
FROM (SELECT id, ${wordsOfCall} AS words FROM ${callsWhere(projectId, sql`id IN (tupleElement(list, 1))`)}) AS calls
INNER JOIN (SELECT row.1 AS id, row FROM (SELECT arrayJoin(list) AS row)) AS places USING id
WHERE NOT throwIf(length(list) != ${uint64(rows.length)}, 'a list of calls could not be read')`
}

/** Pieces of this size are within the engine's limit for the text of a statement, which sets one of them. */
const maxPieceCharacters = 60_000
const rowType = `Array(Tuple(${Array.from({ length: 8 }, () => 'String').join(', ')}))`

/** The rows as one array of tuples. The engine reads them from JSON in less time than from a list for each column. */
function toList(rows: readonly ThreadCall[]): Sql {
  const pieces: string[][] = []
  let characterCount = Infinity
  for (const row of rows) {
    const { id, started_at, thread_id, turn_started_at, op_name, user_id, has_failed, version } = row
    const json = JSON.stringify([id, started_at, thread_id, turn_started_at, op_name, user_id, String(has_failed), version])
    characterCount += json.length
    if (characterCount > maxPieceCharacters) {
      pieces.push([])
      characterCount = json.length
    }
    pieces.at(-1)?.push(json)
  }
  const lists = pieces.map((piece) => sql`JSONExtract(${`[${piece.join(',')}]`}, ${rowType})`)
  return sql`arrayConcat(${joinSql(lists, ', ')})`
}
