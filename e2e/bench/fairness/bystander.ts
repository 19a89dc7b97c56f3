import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { BystanderCommand, BystanderSettings, Latencies } from './bystander-messages'

// The clients whose requests are measured, in a process of their own, so that the work of an attack delays only the service.

const requestsPerSecond = 5
const maxWaitMs = 20_000
const agent = new Agent({ keepAlive: true })

function send(settings: BystanderSettings, path: string, body: object, signal = AbortSignal.timeout(maxWaitMs)): Promise<number> {
  const bytes = Buffer.from(JSON.stringify(body))
  const headers = {
    authorization: settings.authorization,
    'content-type': 'application/json',
    'content-length': bytes.length,
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, settings.url), { method: 'POST', agent, headers, signal }, (incoming) => {
      incoming.resume()
      incoming.on('error', reject)
      incoming.on('end', () => resolve(incoming.statusCode ?? 0))
    })
    outgoing.on('error', reject)
    outgoing.end(bytes)
  })
}

function buildStart(projectId: string, id = randomBytes(8).toString('hex')) {
  return {
    project_id: projectId,
    id,
    trace_id: id + id,
    turn_id: id,
    thread_id: `thread-${id.slice(0, 1)}`,
    op_name: 'answer',
    started_at: new Date().toISOString(),
    attributes: {},
    inputs: { question: 'Where is my order?' },
  }
}

const knownId = '00000000000000ff'

/** What a person at the dashboard and a small program of theirs send. */
const reads = (projectId: string) => [
  ['/threads/stream_query', { project_id: projectId, limit: 50 }] as const,
  ['/cost/query', { project_id: projectId, limit: 50 }] as const,
  ['/call/read', { project_id: projectId, id: knownId }] as const,
]
const writes = (projectId: string) => [
  ['/call/start', { start: buildStart(projectId) }] as const,
  [
    '/call/upsert_batch',
    { batch: Array.from({ length: 10 }, () => ({ mode: 'start', req: { start: buildStart(projectId) } })) },
  ] as const,
]

/** Sends requests at a human pace, one after the other, until `hasEnded`. A request without a reply counts with its wait. */
async function measure(
  settings: BystanderSettings,
  requests: typeof reads | typeof writes,
  hasEnded: () => boolean,
): Promise<Latencies> {
  const latencies: Latencies = { ms: [], failures: {} }
  for (let count = 0; !hasEnded(); count += 1) {
    const choices = requests(settings.projectId)
    const [path, body] = choices[count % choices.length] ?? ['', {}]
    const startedAt = performance.now()
    const outcome = await send(settings, path, body).catch((error: Error) => ('code' in error ? String(error.code) : error.name))
    const ms = performance.now() - startedAt
    latencies.ms.push(ms)
    if (outcome !== 200) latencies.failures[outcome] = (latencies.failures[outcome] ?? 0) + 1
    await wait(Math.max(0, 1000 / requestsPerSecond - ms))
  }
  return latencies
}

const [settingsText = ''] = process.argv.slice(2)
const settings = JSON.parse(settingsText) as BystanderSettings // written by `startBystander`
let hasEnded = false
let measuring: Promise<[Latencies, Latencies]> | undefined
process.on('message', (command: BystanderCommand) => {
  if (command === 'start') {
    hasEnded = false
    measuring = Promise.all([measure(settings, reads, () => hasEnded), measure(settings, writes, () => hasEnded)])
  } else {
    hasEnded = true
    void measuring?.then(([read, write]) => process.send?.({ read, write }))
  }
})
process.on('disconnect', () => process.exit()) // the bench has ended
const prepared = await send(settings, '/call/start', { start: buildStart(settings.projectId, knownId) })
process.send?.(prepared)
