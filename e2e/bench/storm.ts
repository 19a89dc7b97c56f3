import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { SpoolService } from '../spool-service'
import { WrittenCalls } from './crashes/written-calls'
import {
  writtenCosts,
  writtenFeedback,
  writtenFiles,
  writtenObjects,
  writtenQueues,
  writtenTables,
} from './crashes/written-resources'
import { buildCall } from './fairness/attack-data'
import { KeepAliveClient } from './keep-alive-client'
import { report } from './report'
import { findServiceProcessId, readResidentMegabytes, watchPeakMegabytes, whileServiceRuns } from './service-process'

const username = 'bench'
const password = 'a password for the bench'
const projectId = 'bench/storm'
// Apart, because every page of calls would contain the large ones: hundreds of megabytes a request.
const largeProjectId = 'bench/storm-large'
const requests = 30_000
const clients = 32
const maxReturnMs = 600_000
const maxKeptMegabytes = 100

type Sent = { path: string; body: string | Buffer; contentType?: string; headers?: Readonly<Record<string, string>> }

const newId = () => randomBytes(8).toString('hex')
const json = (path: string, body: object): Sent => ({ path, body: JSON.stringify(body) })
const large = 'A question with the documents found for it. '.repeat(180_000)

const reads: readonly (() => Sent)[] = [
  () => json('/threads/stream_query', { project_id: projectId, limit: 50 }),
  () => json('/threads/stream_query', { project_id: projectId, filter: { after_datetime: '2026-01-01T00:00:00Z' }, limit: 50 }),
  () => json('/calls/stream_query', { project_id: projectId, limit: 100, include_costs: true }),
  () => json('/calls/query_stats', { project_id: projectId }),
  () => json('/cost/query', { project_id: projectId, limit: 50 }),
  () => json('/feedback/query', { project_id: projectId, limit: 50 }),
  () => json('/objs/query', { project_id: projectId, limit: 50 }),
  () => json('/annotation_queues/query', { project_id: projectId, limit: 50 }),
]
const mistakes: readonly (() => Sent)[] = [
  () => ({ path: '/call/start', body: '{"start":' }),
  () => json('/call/start', { start: { project_id: 'no project' } }),
  () => json('/nowhere', {}),
  () => json('/threads/stream_query', { project_id: projectId, sort_by: [{ field: 'colour', direction: 'asc' }] }),
  () => json('/file/content', { project_id: projectId, digest: 'unknown' }),
  () => ({ path: '/otel/v1/traces', body: randomBytes(2000), contentType: 'application/x-protobuf' }),
]
/** Apart, because each waits for seconds: wrong passwords are slowed down, and those of one address wait for each other. */
const wrongPassword: Sent = { path: '/call/start', body: '{}', headers: { authorization: 'Basic eDp5' } }
const largeBodies: readonly (() => Sent)[] = [
  () => json('/call/start', { start: { ...buildCall(largeProjectId, newId()), inputs: { large } } }),
  () => json('/calls/stream_query', { project_id: largeProjectId, limit: 3 }),
  () => json('/obj/create', { obj: { project_id: largeProjectId, object_id: `large-${newId()}`, val: { large } } }),
  () => json('/call/upsert_batch', { batch: Array.from({ length: 50_000 }, () => ({})) }),
]

/** The memory of the service before, during and after 30,000 requests of every kind, wrong and large ones among them. */
export async function benchStorm(checkout: string): Promise<boolean> {
  const environment = { SPOOL_USERNAME: username, SPOOL_PASSWORD: password, SPOOL_SAMPLE: 'off', SPOOL_LOG_LEVEL: 'error' }
  const service = await SpoolService.start(environment, 'start', checkout)
  try {
    return await whileServiceRuns(service, () => runStorm(service))
  } finally {
    const errors = service.readErrors().trim()
    if (errors !== '' && service.isRunning) console.log(`It wrote to standard error, at the end:\n${errors}`)
    await service.stop()
  }
}

async function runStorm(service: SpoolService): Promise<boolean> {
  const processId = findServiceProcessId(service.processId)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const client = new KeepAliveClient(service.url, authorization, clients)
  const writers = [writtenCosts, writtenQueues, writtenFeedback, writtenObjects, writtenTables, writtenFiles]
  const kinds = [new WrittenCalls(projectId), ...writers.map((kind) => kind(projectId))]
  const writes = kinds.map((kind) => () => {
    const { acknowledge, ...sent } = kind.next()
    return { ...sent, acknowledge }
  })
  const choose = () => {
    if (sent % 1000 === 0) return wrongPassword
    const choice = Math.random()
    const group = choice < 0.45 ? writes : choice < 0.8 ? reads : choice < 0.995 ? mistakes : largeBodies
    return group[Math.floor(Math.random() * group.length)]?.() ?? json('/nowhere', {})
  }
  const before = readResidentMegabytes(processId)
  const readPeak = watchPeakMegabytes(processId)
  let sent = 0
  let refused = 0
  const serverErrors: string[] = []
  const startedAt = performance.now()
  const runClient = async () => {
    while (sent < requests) {
      sent += 1
      if (sent % 5000 === 0) {
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
        console.log(`${sent} requests: ${seconds} s, ${readResidentMegabytes(processId).toFixed(0)} MB`)
      }
      const chosen: Sent & { acknowledge?: (text: string) => void } = choose()
      const { status, text } = await client.post(chosen.path, chosen.body, chosen.contentType, chosen.headers)
      if (status === 200) chosen.acknowledge?.(text)
      if (status === 429 || status === 503) refused += 1
      else if (status >= 500) serverErrors.push(`${chosen.path}: ${text.slice(0, 200)}`)
    }
  }
  await Promise.all(Array.from({ length: clients }, runClient))
  const peak = readPeak()
  client.close()
  for (const error of new Set(serverErrors)) console.log(error)
  const seconds = (performance.now() - startedAt) / 1000
  const endedAt = performance.now()
  let after = readResidentMegabytes(processId)
  while (after > before + maxKeptMegabytes && performance.now() - endedAt < maxReturnMs) {
    await wait(2000)
    after = readResidentMegabytes(processId)
  }
  return report(`A storm of ${requests.toLocaleString('en')} requests of every kind by ${clients} clients`, [
    { name: 'it took', value: seconds, unit: 's' },
    { name: 'refused as too many (429, 503)', value: refused, unit: '' },
    { name: 'server errors', value: serverErrors.length, unit: '', target: { max: 0 } },
    { name: 'memory before', value: before, unit: 'MB' },
    { name: 'memory, peak', value: peak, unit: 'MB' },
    { name: 'memory after', value: after, unit: 'MB', target: { max: before + maxKeptMegabytes } },
    { name: 'reached after', value: (performance.now() - endedAt) / 1000, unit: 's' },
  ])
}
