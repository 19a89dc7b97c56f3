import { SpoolService } from '../spool-service'
import { type HttpReply, KeepAliveClient } from './keep-alive-client'
import {
  formatBatch,
  createCallGenerator,
  formatEnd,
  type GeneratedCall,
  formatStart,
  formatCompleteCall,
} from './generate-calls'
import { buildSpansRequest } from './generate-spans'
import { LagMeter } from './lag-meter'
import { type Measurement, report } from './report'
import { readResidentMegabytes, findServiceProcessId } from './service-process'

const username = 'bench'
const password = 'a password for the bench'
const projectId = 'bench/ingest'
const periodMs = 3000

type Post = KeepAliveClient['post']
/** Sends calls, in as many requests as the format needs. Returns all replies. */
type Sender = (post: Post, calls: readonly GeneratedCall[]) => Promise<HttpReply[]>

const senders: Readonly<Record<string, Sender>> = {
  'start and end': async (post, calls) => [
    await post('/call/upsert_batch', formatBatch(calls.map((call) => formatStart(projectId, call)))),
    await post('/call/upsert_batch', formatBatch(calls.map((call) => formatEnd(projectId, call)))),
  ],
  'whole calls': async (post, calls) => [
    await post(`/v2/${projectId}/calls/complete`, formatBatch(calls.map((call) => formatCompleteCall(projectId, call)))),
  ],
  'OTLP spans': async (post, calls) => [
    await post('/otel/v1/traces', buildSpansRequest(projectId, calls), 'application/x-protobuf'),
  ],
}

/** Calls per second over HTTP into a running service: each format, few or many calls per request, one or many clients. */
export async function benchIngest(): Promise<boolean> {
  const lagMeter = new LagMeter()
  const service = await SpoolService.start({
    SPOOL_USERNAME: username,
    SPOOL_PASSWORD: password,
    SPOOL_SAMPLE: 'off',
    ...lagMeter.environment,
  })
  const id = findServiceProcessId(service.processId)
  let areTargetsMet = true
  let refused = 0
  try {
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    for (const [name, sender] of Object.entries(senders)) {
      const figures: Measurement[] = []
      for (const callsPerRequest of [1, 10, 1000]) {
        for (const clients of [1, 16]) {
          const client = new KeepAliveClient(service.url, authorization, clients)
          await lagMeter.read(id)
          const period = await runPeriod(client.post.bind(client), sender, callsPerRequest, clients)
          const lag = await lagMeter.read(id)
          client.close()
          refused += period.refused
          const title = `${callsPerRequest} a request, ${clients} client${clients > 1 ? 's' : ''}`
          figures.push(
            { name: title, value: period.callsPerSecond, unit: 'calls/s' },
            { name: '  acknowledged after, p50', value: period.p50, unit: 'ms' },
            { name: '  acknowledged after, p99', value: period.p99, unit: 'ms' },
            { name: '  event loop lag, p99', value: lag?.p99 ?? Infinity, unit: 'ms' },
          )
        }
      }
      areTargetsMet = report(`Calls in over HTTP, acknowledged on disk: ${name}`, figures) && areTargetsMet
    }
    const last: Measurement[] = [
      { name: 'requests refused as too many (429)', value: refused, unit: '', target: { max: 0 } },
      { name: 'memory of the service after this', value: readResidentMegabytes(id), unit: 'MB' },
    ]
    return report('After all calls in', last) && areTargetsMet
  } finally {
    await service.stop()
    lagMeter.close()
  }
}

async function runPeriod(post: Post, sender: Sender, callsPerRequest: number, clients: number) {
  const latencies: number[] = []
  let calls = 0
  let refused = 0
  const timed: Post = async (...request) => {
    const startedAt = performance.now()
    const reply = await post(...request)
    latencies.push(performance.now() - startedAt)
    return reply
  }
  const startedAt = performance.now()
  const runClient = async () => {
    const nextCall = createCallGenerator()
    while (performance.now() - startedAt < periodMs) {
      const replies = await sender(timed, Array.from({ length: callsPerRequest }, nextCall))
      const failed = replies.find(({ status }) => status !== 200 && status !== 429)
      if (failed) throw new Error(`The service answered ${failed.status}: ${failed.text.slice(0, 300)}`)
      const isBusy = replies.some(({ status }) => status === 429)
      refused += isBusy ? 1 : 0
      calls += isBusy ? 0 : callsPerRequest
    }
  }
  await Promise.all(Array.from({ length: clients }, runClient))
  const seconds = (performance.now() - startedAt) / 1000
  const sorted = latencies.toSorted((left, right) => left - right)
  const percentile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return { callsPerSecond: calls / seconds, refused, p50: percentile(0.5), p99: percentile(0.99) }
}
