import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod/mini'
import { openStore } from '../../src/service/store/open-store'
import { sql } from '../../src/service/store/sql'
import { SpoolClient } from '../spool-client'
import { SpoolService } from '../spool-service'
import { KeepAliveClient } from './keep-alive-client'
import {
  formatBatch,
  createCallGenerator,
  formatEnd,
  type GeneratedCall,
  formatStart,
  formatCompleteCall,
} from './generate-calls'
import { median, report } from './report'
import { findServiceProcessId } from './process-memory'
import { rebuildDerived } from '../../src/service/derive/rebuild-derived'

const username = 'bench'
const password = 'a password for the bench'
const projectId = 'bench/crash'
const clients = 16

/** A request that writes starts and ends of calls; they count as acknowledged once it is answered with 200. */
type WriteRequest = { path: string; body: string; starts: readonly GeneratedCall[]; ends: readonly GeneratedCall[] }

type AcknowledgedCall = { call: GeneratedCall; hasStart: boolean; hasEnd: boolean }

/**
 * Kills the service at a random moment while many clients write and starts it again on the same folder, round after round.
 * Requests without a reply are sent again, as clients do. In the end every call must be there, counted once.
 */
export async function benchCrashes(folder: string, rounds: number): Promise<boolean> {
  const acknowledged = new Map<string, AcknowledgedCall>()
  /** Sent, but the connection broke before the reply. */
  let unanswered: WriteRequest[] = []
  const startMs: number[] = []
  let missing = 0
  let acknowledgedRequests = 0
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
  const send = async (client: KeepAliveClient, request: WriteRequest) => {
    const { status, text } = await client.post(request.path, request.body)
    if (status !== 200) throw new Error(`The service answered ${status}: ${text.slice(0, 300)}`)
    acknowledgedRequests += 1
    const record = (call: GeneratedCall) => {
      const known = acknowledged.get(call.id) ?? { call, hasStart: false, hasEnd: false }
      acknowledged.set(call.id, known)
      return known
    }
    for (const call of request.starts) record(call).hasStart = true
    for (const call of request.ends) record(call).hasEnd = true
  }

  for (let round = 0; round < rounds; round += 1) {
    const service = await start()
    const processId = findServiceProcessId(service.processId)
    const client = new KeepAliveClient(service.url, authorization, clients)
    missing += await countMissingTurns(service.url, acknowledged)
    const killing = new AbortController()
    const resend = unanswered
    unanswered = []
    const runClient = async () => {
      const nextRequest = createRequests()
      while (!killing.signal.aborted) {
        const request = resend.pop() ?? nextRequest()
        try {
          await send(client, request)
        } catch (error) {
          unanswered.push(request)
          if (!killing.signal.aborted) throw error
        }
      }
    }
    const writing = Promise.all(Array.from({ length: clients }, runClient))
    // An error before the kill fails the bench at once.
    try {
      await Promise.race([wait(200 + Math.random() * 1500), writing])
    } finally {
      killing.abort()
      const exited = once(service.child, 'exit')
      process.kill(processId, 'SIGKILL')
      await exited
    }
    await writing
    unanswered.push(...resend)
    client.close()
  }

  const service = await start()
  const client = new KeepAliveClient(service.url, authorization, clients)
  missing += await countMissingTurns(service.url, acknowledged)
  const unansweredCount = unanswered.length
  for (const request of unanswered) await send(client, request)
  const miscounted = await countWrongThreads(service.url, acknowledged)
  client.close()
  await service.stop()
  return report(`kill -9 under load by ${clients} clients`, [
    { name: 'rounds', value: rounds, unit: '' },
    { name: 'requests acknowledged', value: acknowledgedRequests, unit: '' },
    { name: 'requests without a reply, sent again, last round', value: unansweredCount, unit: '' },
    { name: 'calls acknowledged', value: acknowledged.size, unit: '' },
    { name: 'acknowledged turns missing after a start', value: missing, unit: '', target: { max: 0 } },
    {
      name: 'calls missing or without their end',
      value: await countMissingCalls(folder, acknowledged),
      unit: '',
      target: { max: 0 },
    },
    { name: 'threads with a wrong count of turns', value: miscounted, unit: '', target: { max: 0 } },
    { name: 'start after a crash, median', value: median(startMs.slice(1)), unit: 'ms' },
    { name: 'start after a crash, max', value: Math.max(...startMs.slice(1)), unit: 'ms' },
  ])
}

const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

/** Requests as different clients send them: starts with the ends of earlier calls, or complete calls. */
function createRequests(): () => WriteRequest {
  const nextCall = createCallGenerator()
  let open: GeneratedCall[] = []
  const nextCalls = () => Array.from({ length: 1 + Math.floor(Math.random() * 30) }, nextCall)
  return () => {
    const starts = nextCalls()
    if (Math.random() < 0.4) {
      const body = formatBatch(starts.map((call) => formatCompleteCall(projectId, call)))
      return { path: `/v2/${projectId}/calls/complete`, body, starts, ends: starts }
    }
    const ends = open
    open = starts
    const parts = [...ends.map((call) => formatEnd(projectId, call)), ...starts.map((call) => formatStart(projectId, call))]
    return { path: '/call/upsert_batch', body: formatBatch(parts), starts, ends }
  }
}

function turnsByThread(acknowledged: ReadonlyMap<string, AcknowledgedCall>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { call, hasStart } of acknowledged.values()) {
    if (hasStart && call.id === call.turnId) counts.set(call.threadId, (counts.get(call.threadId) ?? 0) + 1)
  }
  return counts
}

const ListedThread = z.object({ thread_id: z.string(), turn_count: z.number() })

/** Both ways to list threads: from the summary, and from the turns of a time window. */
const filters = [{}, { after_datetime: '1900-01-01T00:00:00Z' }]

async function readTurnCounts(url: string): Promise<Map<string, number>[]> {
  const client = new SpoolClient(url, username, password)
  return Promise.all(
    filters.map(async (filter) => {
      const rows = await client.postLines('/threads/stream_query', { project_id: projectId, filter })
      return new Map(rows.map((row) => z.parse(ListedThread, row)).map((row) => [row.thread_id, row.turn_count]))
    }),
  )
}

/** Acknowledged turns that a list lacks. Turns without a reply may be listed or not. */
async function countMissingTurns(url: string, acknowledged: ReadonlyMap<string, AcknowledgedCall>): Promise<number> {
  const expected = [...turnsByThread(acknowledged)]
  const missing = (await readTurnCounts(url)).flatMap((counts) =>
    expected.map(([threadId, count]) => Math.max(0, count - (counts.get(threadId) ?? 0))),
  )
  return missing.reduce((sum, count) => sum + count, 0)
}

/** Threads whose number of turns is wrong once everything is acknowledged. */
async function countWrongThreads(url: string, acknowledged: ReadonlyMap<string, AcknowledgedCall>): Promise<number> {
  const expected = turnsByThread(acknowledged)
  const wrong = (await readTurnCounts(url)).map((counts) => {
    const threadIds = new Set([...expected.keys(), ...counts.keys()])
    return [...threadIds].filter((id) => expected.get(id) !== counts.get(id)).length
  })
  return Math.max(...wrong)
}

const StoredCall = z.object({ id: z.string(), has_start: z.number(), has_end: z.number() })

async function countMissingCalls(folder: string, acknowledged: ReadonlyMap<string, AcknowledgedCall>): Promise<number> {
  const store = await openStore({ folder }, rebuildDerived)
  try {
    const stored = new Map<string, z.infer<typeof StoredCall>>()
    const statement = sql`SELECT id, toUInt8(started_at IS NOT NULL) AS has_start, toUInt8(ended_at IS NOT NULL) AS has_end
      FROM calls FINAL WHERE project_id = ${projectId}`
    for await (const rows of store.stream(statement, StoredCall)) {
      for (const row of rows) stored.set(row.id, row)
    }
    return [...acknowledged.values()].filter(({ call, hasStart, hasEnd }) => {
      const row = stored.get(call.id)
      return !row || (hasStart && row.has_start === 0) || (hasEnd && row.has_end === 0)
    }).length
  } finally {
    await store.close()
  }
}
