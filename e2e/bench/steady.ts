import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { SpoolService } from '../spool-service'
import { createCallGenerator, formatBatch, formatCompleteCall } from './generate-calls'
import { KeepAliveClient } from './keep-alive-client'
import { type Measurement, report } from './report'
import { findServiceProcessId, whileServiceRuns } from './service-process'

const username = 'bench'
const password = 'a password for the bench'
const clients = 8
/** Several times the pauses of what works in the background. */
const periodSeconds = 40
// In this order: nobody has read the project before, so the first page waits for what is not inserted yet.
const pages = ['/threads/stream_query', '/threads/search'] as const
/** Linux counts processor time in hundredths of a second. */
const msPerTick = 10

const loads = [
  { callsPerSecond: 0, callsPerRequest: 0 },
  { callsPerSecond: 10, callsPerRequest: 1 },
  { callsPerSecond: 100, callsPerRequest: 10 },
  { callsPerSecond: 1000, callsPerRequest: 100 },
] as const
type Load = (typeof loads)[number]

/**
 * What the service of a checkout costs under a load that does not fill it: its processor time, and how long the first pages of the
 * project take at the end of it.
 */
export async function benchSteady(checkout: string): Promise<boolean> {
  const environment = { SPOOL_USERNAME: username, SPOOL_PASSWORD: password, SPOOL_SAMPLE: 'off' }
  const service = await SpoolService.start(environment, 'start', checkout)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const client = new KeepAliveClient(service.url, authorization, clients)
  const figures: Measurement[] = []
  try {
    await whileServiceRuns(service, async () => {
      for (const load of loads) figures.push(...(await runLoad(client, findServiceProcessId(service.processId), load)))
    })
  } finally {
    client.close()
    await service.stop()
  }
  return report('The service under a steady load, processor time and first pages', figures)
}

async function runLoad(client: KeepAliveClient, processId: number, load: Load): Promise<Measurement[]> {
  const { callsPerSecond, callsPerRequest } = load
  const projectId = `bench/steady-${callsPerSecond}`
  const startMs = performance.now()
  const startProcessorMs = readProcessorMs(processId)
  const endMs = startMs + periodSeconds * 1000
  let requests = 0
  const runClient = async () => {
    const nextCall = createCallGenerator()
    for (;;) {
      const dueMs = startMs + (requests * callsPerRequest * 1000) / callsPerSecond
      requests += 1
      if (dueMs >= endMs) return
      await wait(Math.max(0, dueMs - performance.now()))
      const calls = Array.from({ length: callsPerRequest }, nextCall)
      const body = formatBatch(calls.map((call) => formatCompleteCall(projectId, call)))
      await post(client, `/v2/${projectId}/calls/complete`, body)
    }
  }
  if (callsPerSecond > 0) await Promise.all(Array.from({ length: clients }, runClient))
  else await wait(periodSeconds * 1000)
  const seconds = (performance.now() - startMs) / 1000
  const processorMs = readProcessorMs(processId) - startProcessorMs
  const name = callsPerSecond === 0 ? 'no calls' : `${callsPerSecond} calls a second, ${callsPerRequest} a request`
  const figures: Measurement[] = [{ name, value: processorMs / seconds, unit: 'ms/s' }]
  for (const path of callsPerSecond > 0 ? pages : []) {
    const pageStartMs = performance.now()
    await post(client, path, JSON.stringify({ project_id: projectId, limit: 50 }))
    figures.push({ name: `  then ${path}`, value: performance.now() - pageStartMs, unit: 'ms' })
  }
  return figures
}

async function post(client: KeepAliveClient, path: string, body: string): Promise<void> {
  const { status, text } = await client.post(path, body)
  if (status !== 200) throw new Error(`The service answered ${status}: ${text.slice(0, 300)}`)
}

/** The processor time that a process has used: proc_pid_stat(5), fields 14 and 15, of which the name before may have spaces. */
function readProcessorMs(processId: number): number {
  const fields = readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * msPerTick
}
