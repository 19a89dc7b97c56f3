import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { findServiceProcessId } from '../bench/service-process'
import { SpoolService } from '../spool-service'
import { fault } from './fault'

// The flooder and the other user share one project: fairness does not rest on projects.
const project_id = 'shared/p'
const users = {
  admin: { username: 'admin', password: 'password of admin', projects: '*' },
  flooder: { username: 'flooder', password: 'password of flooder', projects: [project_id] },
  other: { username: 'other', password: 'password of other', projects: [project_id] },
} as const

const folder = mkdtempSync(join(tmpdir(), 'spool-fairness-'))
let service: SpoolService
test.beforeAll(async () => {
  writeFileSync(join(folder, 'users.json'), JSON.stringify(Object.values(users)), { mode: 0o600 })
  service = await SpoolService.start({ SPOOL_SAMPLE: 'off', SPOOL_DATA: folder })
})
test.afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

function post(user: keyof typeof users, path: string, body: object, signal?: AbortSignal): Promise<Response> {
  const { username, password } = users[user]
  return fetch(service.url + path, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${username}:${password}`)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
}

const toId = (prefix: string, index: number) => `${prefix}${index.toString(16).padStart(15, '0')}`
const toStart = (prefix: string, index: number, text: string) => ({
  project_id,
  id: toId(prefix, index),
  trace_id: toId(prefix, index).repeat(2),
  op_name: 'answer',
  thread_id: `t${index % 100}`,
  started_at: new Date(1_767_225_600_000 + index).toISOString(),
  attributes: {},
  inputs: { text },
})

/** Sends calls `from` to `to` of the flooder as one batch. */
const writeBatch = (prefix: string, from: number, to: number, text: string) => {
  const batch = Array.from({ length: to - from }, (_, index) => ({
    mode: 'start',
    req: { start: toStart(prefix, from + index, text) },
  }))
  return post('flooder', '/call/upsert_batch', { batch })
}

/** What another user does on a page: each must succeed. */
async function useDashboard(): Promise<void> {
  const responses = [
    await post('other', '/threads/stream_query', { project_id, limit: 50 }),
    await post('other', '/cost/query', { project_id, limit: 50 }),
    await post('other', '/calls/query_stats', { project_id, filter: { thread_ids: ['t1'] } }),
    await post('other', '/call/start', { start: toStart('e', Math.floor(Math.random() * 1e9), 'one call') }),
  ]
  for (const response of responses) {
    expect(response.status).toBe(200)
    await response.arrayBuffer()
  }
}

test('where all processors are taken, the event loop comes before all other threads', async () => {
  test.skip(process.platform !== 'linux', 'Only Linux has priorities of threads.')
  const processId = findServiceProcessId(service.processId)
  const niceness = (threadId: string) => {
    const stat = readFileSync(`/proc/${processId}/task/${threadId}/stat`, 'utf8')
    // The fields after the name in parentheses, of which the first is field 3 of proc(5); 19 is the niceness.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19 - 3])
  }
  const ofEventLoop = niceness(String(processId))
  const others = () => readdirSync(`/proc/${processId}/task`).filter((each) => each !== String(processId))
  expect(others().length).toBeGreaterThan(10)
  await expect.poll(() => others().filter((each) => niceness(each) <= ofEventLoop)).toEqual([])
})

fault(
  'one user sends 300 searches through all calls at once',
  'too many are refused (429, Retry-After); others are served',
  async () => {
    for (let from = 0; from < 10_000; from += 2000) {
      expect((await writeBatch('a', from, from + 2000, `needle ${'hay '.repeat(100)}`)).status).toBe(200)
    }
    await useDashboard()
    const controller = new AbortController()
    const search = (index: number) => {
      const input = { $getField: 'inputs.text' }
      const query = { $expr: { $contains: { input, substr: { $literal: `none ${index}` }, case_insensitive: true } } }
      return post('flooder', '/calls/query_stats', { project_id, query }, controller.signal)
    }
    const refused = new Set<string>()
    const searches = Array.from({ length: 300 }, async (_, index) => {
      const response = await search(index).catch(() => undefined)
      if (response && !response.ok)
        refused.add(`${response.status} ${response.headers.get('retry-after') ?? 'without Retry-After'}`)
    })
    await expect.poll(() => [...refused], { timeout: 30_000 }).toEqual(['429 2'])
    await useDashboard()
    await useDashboard()
    controller.abort()
    await Promise.all(searches)
  },
)

fault('one user sends 60 batches of 500 calls at once', 'others are served; every acknowledged call is stored', async () => {
  const callsPerBatch = 500
  const statuses: number[] = []
  const batches = Array.from({ length: 60 }, async (_, index) => {
    const from = index * callsPerBatch
    const response = await writeBatch('f', from, from + callsPerBatch, 'x'.repeat(500))
    statuses.push(response.status)
    if (response.status === 429) expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    return response.ok ? from : undefined
  })
  const flood = Promise.all(batches)
  for (let round = 0; round < 4; round += 1) await useDashboard()
  const stored = (await flood).filter((from) => from !== undefined)
  expect(statuses.every((status) => status === 200 || status === 429)).toBe(true)
  expect(stored.length).toBeGreaterThan(0)
  for (const from of stored) {
    const call_ids = Array.from({ length: callsPerBatch }, (_, index) => toId('f', from + index))
    const response = await post('admin', '/calls/query_stats', { project_id, filter: { call_ids } })
    expect(await response.json()).toEqual({ count: callsPerBatch })
  }
})

fault('an expression of 300 conditions, which the engine takes long to plan', 'others get their replies meanwhile', async () => {
  const conditions = Array.from({ length: 300 }, (_, index) => ({
    $contains: { input: { $getField: 'inputs.text' }, substr: { $literal: `${index}` }, case_insensitive: true },
  }))
  const query = { $expr: { $or: conditions } }
  const search = { ended: false }
  const searching = post('flooder', '/calls/stream_query', { project_id, filter: { call_ids: [toId('e', 1)] }, query })
    .then(({ status }) => status)
    .finally(() => (search.ended = true))
  let repliesMeanwhile = 0
  while (!search.ended) {
    expect((await fetch(`${service.url}/health`)).status).toBe(200)
    repliesMeanwhile += 1
  }
  expect(await searching).toBe(200)
  expect(repliesMeanwhile).toBeGreaterThan(10)
})
