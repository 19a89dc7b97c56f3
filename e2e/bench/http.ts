import { execFileSync } from 'node:child_process'
import { SpoolClient } from '../spool-client'
import { SpoolService } from '../spool-service'
import { oneTurnThreads, writeTurns } from '../turns'
import { measureInterleaved, report } from './report'

const username = 'bench'
const password = 'a password for the bench'
const projectId = 'bench/http'

/** The three operations over HTTP on a running service, authentication and JSON included, and the memory of the process. */
export async function benchHttp(): Promise<boolean> {
  const startedAt = performance.now()
  const service = await SpoolService.start({ SPOOL_USERNAME: username, SPOOL_PASSWORD: password })
  const startMs = performance.now() - startedAt
  try {
    const client = new SpoolClient(service.url, username, password)
    const atRest = residentMegabytes(service.processId)
    const writing = performance.now()
    await writeTurns(client, projectId, oneTurnThreads(10_000, Date.UTC(2026, 0, 1)))
    const writeMs = performance.now() - writing
    const ms = await measureInterleaved(
      {
        threads: () => client.postLines('/threads/stream_query', { project_id: projectId, limit: 51 }),
        'all 10,000 threads': () => client.postLines('/threads/stream_query', { project_id: projectId }),
        costs: () => client.postJson('/cost/query', { project_id: projectId, limit: 51 }),
        queue: () => client.postJson('/annotation_queues', { project_id: projectId, name: 'Bench', scorer_refs: [] }),
        health: () => fetch(new URL('/health', service.url)).then((response) => response.text()),
      },
      15,
    )
    return report('Over HTTP', [
      { name: 'start to ready, first start with the sample', value: startMs, unit: 'ms' },
      { name: 'writing 10,000 turns in batches of 1,000 parts', value: 10_000 / (writeMs / 1000), unit: 'turns/s' },
      { name: 'health', value: ms.health, unit: 'ms' },
      { name: 'page of threads', value: ms.threads, unit: 'ms' },
      { name: 'all 10,000 threads', value: ms['all 10,000 threads'], unit: 'ms' },
      { name: 'page of costs', value: ms.costs, unit: 'ms' },
      { name: 'queue created, on disk', value: ms.queue, unit: 'ms' },
      { name: 'memory at rest', value: atRest, unit: 'MB' },
      { name: 'memory after this load', value: residentMegabytes(service.processId), unit: 'MB' },
    ])
  } finally {
    await service.stop()
  }
}

/** Memory of the service, a child of the launcher. */
function residentMegabytes(launcherId: number): number {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,rss='], { encoding: 'utf8' }).trim().split('\n')
  const kilobytes = lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([id, parentId]) => id === launcherId || parentId === launcherId)
    .map(([, , rss = 0]) => rss)
  return Math.max(...kilobytes) / 1000
}
