import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod/mini'
import { SpoolService } from '../spool-service'
import { type Answered, KeptConnections } from './kept-connections'
import { batchOf, createCallMaker, endPart, type MadeCall, startPart, wholeCall } from './made-calls'
import { spansRequest } from './made-spans'
import { type Measurement, report } from './report'
import { residentMegabytes, servingProcessId } from './resident'

const username = 'bench'
const password = 'a password for the bench'
const projectId = 'bench/ingest'
const spellMs = 3000

type Post = KeptConnections['post']
/** Sends calls in as many requests as its way of sending needs, and answers them all. */
type Way = (post: Post, calls: readonly MadeCall[]) => Promise<Answered[]>

const ways: Readonly<Record<string, Way>> = {
  'start and end': async (post, calls) => [
    await post('/call/upsert_batch', batchOf(calls.map((call) => startPart(projectId, call)))),
    await post('/call/upsert_batch', batchOf(calls.map((call) => endPart(projectId, call)))),
  ],
  'whole calls': async (post, calls) => [
    await post(`/v2/${projectId}/calls/complete`, batchOf(calls.map((call) => wholeCall(projectId, call)))),
  ],
  'OTLP spans': async (post, calls) => [await post('/otel/v1/traces', spansRequest(projectId, calls), 'application/x-protobuf')],
}

const Lag = z.object({ p99: z.number(), max: z.number() })

/** Calls a second through HTTP into a started service, each way in, a few or many calls a request, one client or many. */
export async function benchIngest(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'spool-bench-lag-'))
  const lagFile = join(folder, 'lag.json')
  const service = await SpoolService.start({
    SPOOL_USERNAME: username,
    SPOOL_PASSWORD: password,
    SPOOL_SAMPLE: 'off',
    SPOOL_BENCH_LAG: lagFile,
    NODE_OPTIONS: `--import=${join(process.cwd(), 'e2e/bench/lag-probe.mjs')}`,
  })
  const id = servingProcessId(service.processId)
  const lag = async () => {
    rmSync(lagFile, { force: true })
    process.kill(id, 'SIGUSR2')
    for (;;) {
      await wait(20)
      try {
        return z.parse(Lag, JSON.parse(readFileSync(lagFile, 'utf8')))
      } catch {
        // Not written yet, or half of it.
      }
    }
  }
  let isKept = true
  let refused = 0
  try {
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    for (const [name, way] of Object.entries(ways)) {
      const figures: Measurement[] = []
      for (const callsPerRequest of [1, 10, 1000]) {
        for (const clients of [1, 16]) {
          const connections = new KeptConnections(service.url, authorization, clients)
          await lag()
          const spell = await runSpell(connections.post.bind(connections), way, callsPerRequest, clients)
          const { p99 } = await lag()
          connections.close()
          refused += spell.refused
          const title = `${callsPerRequest} a request, ${clients} client${clients > 1 ? 's' : ''}`
          figures.push(
            { name: title, value: spell.callsPerSecond, unit: 'calls/s' },
            { name: '  acknowledged after, p50', value: spell.p50, unit: 'ms' },
            { name: '  acknowledged after, p99', value: spell.p99, unit: 'ms' },
            { name: '  event loop lag, p99', value: p99, unit: 'ms' },
          )
        }
      }
      isKept = report(`Calls in over HTTP, acknowledged on disk: ${name}`, figures) && isKept
    }
    const last: Measurement[] = [
      { name: 'requests refused as too many (429)', value: refused, unit: '', target: { most: 0 } },
      { name: 'memory of the service after this', value: residentMegabytes(id), unit: 'MB' },
    ]
    return report('After all calls in', last) && isKept
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runSpell(post: Post, way: Way, callsPerRequest: number, clients: number) {
  const latencies: number[] = []
  let calls = 0
  let refused = 0
  const timed: Post = async (...request) => {
    const startedAt = performance.now()
    const answer = await post(...request)
    latencies.push(performance.now() - startedAt)
    return answer
  }
  const startedAt = performance.now()
  const client = async () => {
    const nextCall = createCallMaker()
    while (performance.now() - startedAt < spellMs) {
      const answers = await way(timed, Array.from({ length: callsPerRequest }, nextCall))
      const failed = answers.find(({ status }) => status !== 200 && status !== 429)
      if (failed) throw new Error(`The service answered ${failed.status}: ${failed.text.slice(0, 300)}`)
      const isRefused = answers.some(({ status }) => status === 429)
      refused += isRefused ? 1 : 0
      calls += isRefused ? 0 : callsPerRequest
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const seconds = (performance.now() - startedAt) / 1000
  const sorted = latencies.toSorted((left, right) => left - right)
  const percentile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return { callsPerSecond: calls / seconds, refused, p50: percentile(0.5), p99: percentile(0.99) }
}
