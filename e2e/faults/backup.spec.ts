import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'playwright/test'
import { killService } from '../bench/service-process'
import { SpoolClient } from '../spool-client'
import { SpoolService } from '../spool-service'
import { fault } from './fault'

const project_id = 'backup/writes'
const writerCount = 4

type Costs = { results: { llm_id: string }[] }
type Answer = { path: string; byte_count: number }

async function open(folder: string) {
  const service = await SpoolService.start({ SPOOL_DATA: folder, SPOOL_SAMPLE: 'off', SPOOL_LOG_LEVEL: 'error' })
  const [user] = JSON.parse(readFileSync(join(folder, 'users.json'), 'utf8')) as [{ username: string; password: string }] // of Spool
  return { service, client: new SpoolClient(service.url, user.username, user.password) }
}

let sentCount = 0
/** A finished turn of one of ten threads, as the two parts of a batch. */
function nextTurn(padding: string) {
  const id = (sentCount += 1).toString(16).padStart(16, '0')
  const ids = { project_id, id, trace_id: id + id, turn_id: id, thread_id: `thread ${sentCount % 10}` }
  const start = { ...ids, op_name: 'answer', started_at: '2026-01-01T00:00:00Z', attributes: {}, inputs: { padding } }
  const end = { project_id, id, ended_at: '2026-01-01T00:00:02Z', summary: {} }
  return {
    id,
    parts: [
      { mode: 'start', req: { start } },
      { mode: 'end', req: { end } },
    ],
  }
}

/** Writes until `stop`. Nearly all requests go through the journal; each twentieth is too large for it. */
function startWriting(client: SpoolClient) {
  const acknowledged = new Set<string>()
  const stopping = new AbortController()
  const write = async () => {
    for (let round = 0; !stopping.signal.aborted; round += 1) {
      const turns = Array.from({ length: 5 }, () => nextTurn(round % 20 === 19 ? 'x'.repeat(1_200_000) : 'x'))
      await client.postJson('/call/upsert_batch', { batch: turns.flatMap(({ parts }) => parts) })
      for (const { id } of turns) acknowledged.add(id)
    }
  }
  const done = Promise.all(Array.from({ length: writerCount }, write))
  const stop = async () => {
    stopping.abort()
    await done
  }
  return { acknowledged, stop }
}

async function readAll(client: SpoolClient) {
  const calls = await client.postLines('/calls/stream_query', { project_id, columns: ['id', 'ended_at'] })
  const threads = await client.postLines('/threads/stream_query', { project_id })
  const costs = (await client.postJson('/cost/query', { project_id, fields: ['llm_id'], query: isOwnModel })) as Costs
  const queues = await client.postLines('/annotation_queues/query', { project_id })
  return {
    ids: calls.map(({ id }) => String(id)),
    unfinished: calls.filter(({ ended_at: endedAt }) => endedAt === null).map(({ id }) => String(id)),
    turnCount: threads.reduce((sum, { turn_count: count }) => sum + Number(count), 0),
    p99s: new Set(threads.map(({ p99_turn_duration_ms: p99 }) => p99)),
    models: costs.results.map(({ llm_id: model }) => model),
    queues: queues.map(({ name }) => name),
  }
}
const isOwnModel = { $expr: { $eq: [{ $getField: 'llm_id' }, { $literal: 'house-model' }] } }

fault(
  'a backup while four clients write, and a start on its copy',
  'the copy has all that was acknowledged before, once, with its figures; no write fails',
  async () => {
    const parent = mkdtempSync(join(tmpdir(), 'spool-backup-'))
    const folder = join(parent, 'data')
    const copy = join(parent, 'copy')
    let opened = await open(folder)
    try {
      await opened.client.postJson('/cost/create', {
        project_id,
        costs: { 'house-model': { prompt_token_cost: 0.000001, completion_token_cost: 0.000002 } },
      })
      await opened.client.postJson('/annotation_queues', { project_id, name: 'Slow answers', scorer_refs: [] })
      const writing = startWriting(opened.client)
      let before = new Set<string>()
      let last: Answer = { path: '', byte_count: 0 }
      for (const enough of [100, 400, 800]) {
        await expect.poll(() => writing.acknowledged.size, { timeout: 60_000 }).toBeGreaterThan(enough)
        before = new Set(writing.acknowledged)
        last = (await opened.client.postJson('/backup', {})) as Answer
      }
      await writing.stop()
      expect(last.byte_count).toBeGreaterThan(100_000)
      // The store goes on, and merges parts that the backup has links to.
      const whole = await readAll(opened.client)
      expect(new Set(whole.ids)).toEqual(writing.acknowledged)
      await opened.service.stop()

      cpSync(last.path, copy, { recursive: true, verbatimSymlinks: true })
      opened = await open(copy)
      const { ids, unfinished, ...found } = await readAll(opened.client)
      expect(new Set(ids).size).toBe(ids.length)
      expect([...before].filter((id) => !ids.includes(id))).toEqual([])
      expect(ids.filter((id) => !writing.acknowledged.has(id))).toEqual([])
      // Of a large request that was under way, the copy may have a part.
      expect(unfinished.filter((id) => before.has(id))).toEqual([])
      expect(found).toEqual({
        turnCount: ids.length,
        p99s: new Set([2000]),
        models: ['house-model'],
        queues: ['Slow answers'],
      })
      // The copy is a service like any other.
      const { id, parts } = nextTurn('later')
      await opened.client.postJson('/call/upsert_batch', { batch: parts })
      expect((await readAll(opened.client)).ids).toContain(id)
    } finally {
      await opened.service.stop()
      rmSync(parent, { recursive: true, force: true })
    }
  },
)

fault(
  'kill -9 while a backup is made, four times',
  'nothing that was acknowledged is missing, nothing of the backup is left, and the next one is whole',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'spool-backup-'))
    let opened = await open(folder)
    try {
      const acknowledged = new Set<string>()
      for (const delayMs of [20, 80, 200, 500]) {
        const turns = Array.from({ length: 50 }, () => nextTurn('x'))
        await opened.client.postJson('/call/upsert_batch', { batch: turns.flatMap(({ parts }) => parts) })
        for (const { id } of turns) acknowledged.add(id)
        const backup = opened.client.post('/backup', {}).catch(() => undefined)
        await wait(delayMs)
        await killService(opened.service)
        await backup
        opened = await open(folder)
        expect(existsSync(join(folder, 'store', 'backups', 'unfinished'))).toBe(false)
        expect(existsSync(join(folder, 'store', 'shadow'))).toBe(false)
        expect(new Set((await readAll(opened.client)).ids)).toEqual(acknowledged)
      }
      const { path } = (await opened.client.postJson('/backup', {})) as Answer
      await opened.service.stop()
      const copy = join(folder, 'copy')
      cpSync(path, copy, { recursive: true, verbatimSymlinks: true })
      opened = await open(copy)
      expect(new Set((await readAll(opened.client)).ids)).toEqual(acknowledged)
    } finally {
      await opened.service.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
)
