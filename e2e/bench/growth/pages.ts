import * as z from 'zod/mini'
import { uint64, sql } from '../../../src/service/store/sql'
import type { Store } from '../../../src/service/store/store'
import type { KeepAliveClient } from '../keep-alive-client'
import { measureInterleaved, median } from '../report'
import { firstTurnAt, growthProject } from './load-narrow'

const project_id = growthProject
const rounds = 15
const roundsOfOrders = 5
const samples = 50

type Sample = { thread_id: string; trace_id: string; id: string; user_id: string }
/** Turns of threads whose ids are in the order of time, and of threads with random ids. */
export type Samples = { timed: readonly Sample[]; random: readonly Sample[] }

/** Turns anywhere in the store, each of another thread. */
export async function sampleTurns(store: Store, calls: number): Promise<Samples> {
  const turns = await store.query(
    sql`SELECT thread_id, id, user_id FROM thread_calls
WHERE project_id = ${project_id} AND op_name = 'answer' AND intHash64(toUnixTimestamp(started_at)) % ${uint64(calls / 10 / samples)} = 0
LIMIT 1 BY thread_id`,
    z.object({ thread_id: z.string(), id: z.string(), user_id: z.string() }),
  )
  const places = await store.query(
    sql`SELECT id, trace_id FROM calls WHERE project_id = ${project_id} AND id IN ${turns.map(({ id }) => id)}`,
    z.object({ id: z.string(), trace_id: z.string() }),
  )
  const traceById = new Map(places.map(({ id, trace_id: traceId }) => [id, traceId]))
  const found = turns.flatMap((each): Sample[] => {
    const traceId = traceById.get(each.id)
    return traceId === undefined ? [] : [{ ...each, trace_id: traceId }]
  })
  const sampled = { timed: found.filter(({ id }) => id.includes('-')), random: found.filter(({ id }) => !id.includes('-')) }
  if (Math.min(sampled.timed.length, sampled.random.length) < rounds + 2)
    throw new Error('The store of the bench has too few samples.')
  return sampled
}

const day = 86_400_000
const hour = 3_600_000
const instant = (ms: number) => new Date(ms).toISOString()

/** Where the filters of a fixed length begin and end: in the middle of the turns of a store, there is one a second. */
export function findWindows(calls: number) {
  const middle = firstTurnAt + calls * 50
  const around = (length: number) => ({ after: instant(middle - length / 2), before: instant(middle + length / 2) })
  return { hour: around(hour), day: around(day) }
}

export type PageName = keyof ReturnType<typeof toRequests>

function toRequests(calls: number, { timed, random }: Samples) {
  const windows = findWindows(calls)
  const page = (more: object) => ({ path: '/threads/stream_query', body: { project_id, limit: 51, ...more } })
  const by = (field: string, more: object = {}) => page({ sort_by: [{ field, direction: 'desc' }], ...more })
  const search = (filter: object) => ({ path: '/threads/search', body: { project_id, limit: 51, filter } })
  const callsOf = (filter: object, limit = 51) => ({ path: '/calls/stream_query', body: { project_id, filter, limit } })
  const callsFrom = (offset: number, more: object = {}) => ({
    path: '/calls/stream_query',
    body: { project_id, limit: 51, offset, ...more },
  })
  const oneOf = (turns: readonly Sample[], run: number) => turns[run % turns.length] as Sample // there is at least one
  const turn = (run: number) => oneOf(run % 2 === 0 ? timed : random, run >> 1)
  const within = ({ after, before }: { after: string; before: string }) => ({ after_datetime: after, before_datetime: before })
  return {
    'first page': () => page({}),
    'by p99': () => by('p99_turn_duration_ms'),
    'by turn count': () => by('turn_count'),
    'at offset 10,000': () => page({ offset: Math.min(10_000, (calls * 0.013) >> 1) }),
    'window of an hour': () => page({ filter: within(windows.hour) }),
    'search: id prefix': (run: number) => search({ thread_id_prefix: turn(run).thread_id.slice(0, 12) }),
    'search: rare word': (run: number) => search({ text: `t${turn(run).thread_id}` }),
    'search: the few errors': () => search({ has_errors: true }),
    'search: rare user': (run: number) => search({ users: [turn(run).user_id] }),
    'calls of a thread, ids by time': (run: number) => callsOf({ thread_ids: [oneOf(timed, run).thread_id] }),
    'calls of a thread, random ids': (run: number) => callsOf({ thread_ids: [oneOf(random, run).thread_id] }),
    'calls of a trace, ids by time': (run: number) => callsOf({ trace_ids: [oneOf(timed, run).trace_id] }),
    'calls of a trace, random ids': (run: number) => callsOf({ trace_ids: [oneOf(random, run).trace_id] }),
    'one call, random id': (run: number) => callsOf({ call_ids: [oneOf(random, run).id] }, 1),
    'all calls, at offset 50,000': () => callsFrom(50_000),
    'calls without a parent, at offset 5,000': () => callsFrom(5000, { filter: { trace_roots_only: true } }),
    'list of projects': () => ({ path: '/projects', body: undefined }),
    'spend of 24 hours by model': () => ({
      path: '/spend/query',
      body: { project_id, group_by: ['model'], filter: within(windows.day) },
    }),
  } as const satisfies Record<string, (run: number) => { path: string; body: object | undefined }>
}

/** More orders than the service keeps rankings of, none of which the other pages ask for. So each of these pages is sorted anew. */
const otherOrders = [
  'p50_turn_duration_ms',
  'start_time',
  'thread_id',
  'last_updated',
  'p99_turn_duration_ms',
  'turn_count',
].flatMap((field, index) => (index < 3 ? ['desc', 'asc'] : ['asc']).map((direction) => ({ field, direction })))

async function request(client: KeepAliveClient, path: string, body: object | undefined): Promise<string> {
  const { status, text } = body ? await client.post(path, JSON.stringify(body)) : await client.get(path)
  if (status !== 200) throw new Error(`${path} responded with ${status}: ${text}`)
  if (text === '') throw new Error(`A page of the bench came back empty: ${path} ${JSON.stringify(body)}`)
  return text
}

/** Asks for each page once, and returns how long the first page took, milliseconds. */
export async function readFirstPages(client: KeepAliveClient, calls: number, turns: Samples): Promise<number> {
  const times: number[] = []
  for (const toRequest of Object.values(toRequests(calls, turns))) {
    const { path, body } = toRequest(0)
    const startedAt = performance.now()
    await request(client, path, body)
    times.push(performance.now() - startedAt)
  }
  return times[0] ?? Number.NaN
}

/** Medians of all pages, milliseconds. */
export async function measurePages(client: KeepAliveClient, calls: number, turns: Samples) {
  const tasks = Object.entries(toRequests(calls, turns)).map(([name, toRequest]) => {
    // Each run asks for another sample: what was asked for before is in memory.
    let run = 0
    const task = async () => {
      const { path, body } = toRequest((run += 1))
      await request(client, path, body)
    }
    return [name, task] as const
  })
  const pages = await measureInterleaved(Object.fromEntries(tasks) as Record<PageName, () => Promise<void>>, rounds) // a task for each name
  const health = await measureInterleaved({ '/health': () => request(client, '/health', undefined) }, rounds)
  return { ...pages, ...health, 'by p50, sorted anew': await measureOtherOrder(client) }
}

async function measureOtherOrder(client: KeepAliveClient): Promise<number> {
  const times: number[] = []
  for (let round = -1; round < roundsOfOrders; round += 1) {
    for (const order of otherOrders) {
      const startedAt = performance.now()
      await request(client, '/threads/stream_query', { project_id, limit: 51, sort_by: [order] })
      const ms = performance.now() - startedAt
      if (round >= 0 && order.field === 'p50_turn_duration_ms') times.push(ms)
    }
  }
  return median(times)
}
