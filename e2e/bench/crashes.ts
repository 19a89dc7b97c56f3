import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod/mini'
import { openStore } from '../../src/service/store/open-store'
import { SpoolClient } from '../spool-client'
import { SpoolService } from '../spool-service'
import { KeptConnections } from './kept-connections'
import { batchOf, createCallMaker, endPart, type MadeCall, startPart, wholeCall } from './made-calls'
import { median, report } from './report'
import { servingProcessId } from './resident'

const username = 'bench'
const password = 'a password for the bench'
const projectId = 'bench/crash'
const clients = 16

/** A request and the calls it tells the start or the end of, which count as told once it is answered 200. */
type Telling = { path: string; body: string; starts: readonly MadeCall[]; ends: readonly MadeCall[] }

type Told = { call: MadeCall; hasStart: boolean; hasEnd: boolean }

/**
 * Kills the service at a random moment while many clients write, and starts it again on what is left, round after round.
 * What was not acknowledged is sent again, as clients do. In the end every call is there, and counted once.
 */
export async function benchCrashes(folder: string, rounds: number): Promise<boolean> {
  const told = new Map<string, Told>()
  /** Sent, and the connection broke before the answer. */
  let unsure: Telling[] = []
  const startMs: number[] = []
  let missing = 0
  let acknowledged = 0
  const start = async () => {
    const startedAt = performance.now()
    const service = await SpoolService.start({
      SPOOL_DATA: folder,
      SPOOL_USERNAME: username,
      SPOOL_PASSWORD: password,
      SPOOL_SAMPLE: 'off',
    })
    startMs.push(performance.now() - startedAt)
    return service
  }
  const tell = async (connections: KeptConnections, telling: Telling) => {
    const { status, text } = await connections.post(telling.path, telling.body)
    if (status !== 200) throw new Error(`The service answered ${status}: ${text.slice(0, 300)}`)
    acknowledged += 1
    const note = (call: MadeCall) => {
      const known = told.get(call.id) ?? { call, hasStart: false, hasEnd: false }
      told.set(call.id, known)
      return known
    }
    for (const call of telling.starts) note(call).hasStart = true
    for (const call of telling.ends) note(call).hasEnd = true
  }

  for (let round = 0; round < rounds; round += 1) {
    const service = await start()
    const processId = servingProcessId(service.processId)
    const connections = new KeptConnections(service.url, authorization, clients)
    missing += await turnsMissing(service.url, told)
    const killing = new AbortController()
    const resend = unsure
    unsure = []
    const lane = async () => {
      const nextTelling = createTellings()
      while (!killing.signal.aborted) {
        const telling = resend.pop() ?? nextTelling()
        try {
          await tell(connections, telling)
        } catch (error) {
          unsure.push(telling)
          if (!killing.signal.aborted) throw error
        }
      }
    }
    const lanes = Promise.all(Array.from({ length: clients }, lane))
    // What fails before the kill fails the bench at once and not after it.
    try {
      await Promise.race([wait(200 + Math.random() * 1500), lanes])
    } finally {
      killing.abort()
      const gone = once(service.child, 'exit')
      process.kill(processId, 'SIGKILL')
      await gone
    }
    await lanes
    unsure.push(...resend)
    connections.close()
  }

  const service = await start()
  const connections = new KeptConnections(service.url, authorization, clients)
  missing += await turnsMissing(service.url, told)
  const unsureCount = unsure.length
  for (const telling of unsure) await tell(connections, telling)
  const miscounted = await threadsMiscounted(service.url, told)
  connections.close()
  await service.stop()
  return report(`kill -9 under load by ${clients} clients`, [
    { name: 'rounds', value: rounds, unit: '' },
    { name: 'requests acknowledged', value: acknowledged, unit: '' },
    { name: 'requests cut off and sent again, last round', value: unsureCount, unit: '' },
    { name: 'calls told of', value: told.size, unit: '' },
    { name: 'acknowledged turns missing after a start', value: missing, unit: '', target: { most: 0 } },
    { name: 'calls missing or without their end', value: await callsMissing(folder, told), unit: '', target: { most: 0 } },
    { name: 'threads with a wrong count of turns', value: miscounted, unit: '', target: { most: 0 } },
    { name: 'start after a crash, median', value: median(startMs.slice(1)), unit: 'ms' },
    { name: 'start after a crash, longest', value: Math.max(...startMs.slice(1)), unit: 'ms' },
  ])
}

const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** Requests as different clients send them: parts one by one, parts in batches with ends of earlier calls, whole calls. */
function createTellings(): () => Telling {
  const nextCall = createCallMaker()
  let open: MadeCall[] = []
  const some = () => Array.from({ length: 1 + Math.floor(Math.random() * 30) }, nextCall)
  return () => {
    const starts = some()
    if (Math.random() < 0.4) {
      const body = batchOf(starts.map((call) => wholeCall(projectId, call)))
      return { path: `/v2/${projectId}/calls/complete`, body, starts, ends: starts }
    }
    const ends = open
    open = starts
    const parts = [...ends.map((call) => endPart(projectId, call)), ...starts.map((call) => startPart(projectId, call))]
    return { path: '/call/upsert_batch', body: batchOf(parts), starts, ends }
  }
}

function turnsByThread(told: ReadonlyMap<string, Told>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { call, hasStart } of told.values()) {
    if (hasStart && call.id === call.turnId) counts.set(call.threadId, (counts.get(call.threadId) ?? 0) + 1)
  }
  return counts
}

const listed = z.object({ thread_id: z.string(), turn_count: z.number() })

/** Each way to list threads: summed up before, and from the turns by their time. */
const filters = [{}, { after_datetime: '1900-01-01T00:00:00Z' }]

async function listedCounts(url: string): Promise<Map<string, number>[]> {
  const client = new SpoolClient(url, username, password)
  return Promise.all(
    filters.map(async (filter) => {
      const rows = await client.postLines('/threads/stream_query', { project_id: projectId, filter })
      return new Map(rows.map((row) => z.parse(listed, row)).map((row) => [row.thread_id, row.turn_count]))
    }),
  )
}

/** Turns that were acknowledged and are in no list. What was not acknowledged may be there or not. */
async function turnsMissing(url: string, told: ReadonlyMap<string, Told>): Promise<number> {
  const expected = [...turnsByThread(told)]
  const missing = (await listedCounts(url)).flatMap((counts) =>
    expected.map(([threadId, count]) => Math.max(0, count - (counts.get(threadId) ?? 0))),
  )
  return missing.reduce((sum, count) => sum + count, 0)
}

/** Once everything has been acknowledged, the lists say exactly what was sent. */
async function threadsMiscounted(url: string, told: ReadonlyMap<string, Told>): Promise<number> {
  const expected = turnsByThread(told)
  const wrong = (await listedCounts(url)).map((counts) => {
    const threadIds = new Set([...expected.keys(), ...counts.keys()])
    return [...threadIds].filter((id) => expected.get(id) !== counts.get(id)).length
  })
  return Math.max(...wrong)
}

const StoredCall = z.object({ id: z.string(), has_start: z.number(), has_end: z.number() })

async function callsMissing(folder: string, told: ReadonlyMap<string, Told>): Promise<number> {
  const store = await openStore({ folder })
  try {
    const stored = new Map<string, z.infer<typeof StoredCall>>()
    const sql = `SELECT id, toUInt8(started_at IS NOT NULL) AS has_start, toUInt8(ended_at IS NOT NULL) AS has_end
      FROM calls FINAL WHERE project_id = {project_id:String}`
    for await (const rows of store.stream(sql, { project_id: projectId }, StoredCall)) {
      for (const row of rows) stored.set(row.id, row)
    }
    return [...told.values()].filter(({ call, hasStart, hasEnd }) => {
      const row = stored.get(call.id)
      return !row || (hasStart && row.has_start === 0) || (hasEnd && row.has_end === 0)
    }).length
  } finally {
    await store.close()
  }
}
