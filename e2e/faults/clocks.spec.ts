import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'playwright/test'
import { killService } from '../bench/service-process'
import { SpoolClient } from '../spool-client'
import { SpoolService } from '../spool-service'
import { fault } from './fault'

const project_id = 'clocks/support'
const hourMs = 3_600_000

let folder = ''
let service: SpoolService
let client: SpoolClient

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-clocks-'))
})
test.afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the service on the same folder, with its clock so many hours ahead. */
async function start(hours: number): Promise<void> {
  service = await SpoolService.start({
    SPOOL_DATA: folder,
    SPOOL_SAMPLE: 'off',
    SPOOL_USERNAME: 'kim',
    SPOOL_PASSWORD: 'correct horse',
    SHIFT_CLOCK_MS: String(hours * hourMs),
    NODE_OPTIONS: `--import=${pathToFileURL(join(process.cwd(), 'e2e/faults/shift-clock.mjs')).href}`,
  })
  client = new SpoolClient(service.url, 'kim', 'correct horse')
}

const toId = (number: number) => number.toString(16).padStart(16, '0')
const toTime = (second: number) => new Date(Date.UTC(2026, 0, 31, 0, 0, second)).toISOString()

const startTurn = (number: number, thread_id: string, second: number) => {
  const own = { id: toId(number), trace_id: toId(number).repeat(2), turn_id: toId(number), thread_id }
  return client.postJson('/call/start', {
    start: { project_id, ...own, op_name: 'answer', started_at: toTime(second), attributes: {}, inputs: {} },
  })
}
const endTurn = (number: number, second: number) => {
  const summary = { usage: { 'own-model': { input_tokens: 1 } } }
  return client.postJson('/call/end', { end: { project_id, id: toId(number), ended_at: toTime(second), summary } })
}

/** [thread, turns, start, last update] of each thread, of all turns or of those in a window. */
async function readThreads(filter = {}) {
  const sort_by = [{ field: 'thread_id', direction: 'asc' }]
  const threads = await client.postLines('/threads/stream_query', { project_id, filter, sort_by })
  return threads.map((thread) => [thread['thread_id'], thread['turn_count'], thread['start_time'], thread['last_updated']])
}
const everything = { after_datetime: '2020-01-01T00:00:00Z' }
const toWireTime = (second: number) => toTime(second).replace('.000', '')

const rename = (number: number, display_name: string) =>
  client.postJson('/call/update', { project_id, call_id: toId(number), display_name })
async function readName(number: number): Promise<unknown> {
  const { call } = (await client.postJson('/call/read', { project_id, id: toId(number) })) as { call: { display_name: unknown } }
  return call.display_name
}

async function setPrice(price: number): Promise<void> {
  const cost = { prompt_token_cost: price, completion_token_cost: 0, effective_date: '2026-01-01T00:00:00Z' }
  await client.postJson('/cost/create', { project_id, costs: { 'own-model': cost } })
}
type PricedCall = { summary: { weave: { costs: Record<string, { prompt_token_cost: number }> } } }
/** The price at which the call is charged. */
async function readPrice(number: number): Promise<unknown> {
  const { call } = (await client.postJson('/call/read', { project_id, id: toId(number), include_costs: true })) as {
    call: PricedCall
  }
  return call.summary.weave.costs['own-model']?.prompt_token_cost
}

const createObject = async (val: unknown) =>
  (await client.postJson('/obj/create', { obj: { project_id, object_id: 'prompt', val } })) as { digest: string }
async function readLatest(): Promise<unknown> {
  const { obj } = (await client.postJson('/obj/read', { project_id, object_id: 'prompt', digest: 'latest' })) as {
    obj: { val: unknown }
  }
  return obj.val
}
const createQueue = (name: string) => client.postJson('/annotation_queues', { project_id, name, scorer_refs: [] })

fault(
  'a clock set back by an hour between two crashes',
  'threads, windows, names, prices and versions are the newest',
  async () => {
    await start(1)
    await startTurn(1, 'old', 0)
    await startTurn(2, 'old', 10)
    await endTurn(2, 12)
    expect(await readThreads()).toEqual([['old', 2, toWireTime(0), toWireTime(12)]])
    await rename(1, 'zz from the future')
    await setPrice(1)
    await createObject({ text: 'first' })
    await createQueue('first')
    // Neither of these is derived before the kill.
    await Promise.all([startTurn(3, 'old', 20), startTurn(4, 'killed', 30)])
    await killService(service)

    await start(0)
    expect(await readThreads()).toEqual([
      ['killed', 1, toWireTime(30), toWireTime(30)],
      ['old', 3, toWireTime(0), toWireTime(12)],
    ])
    await rename(1, 'a name of today')
    await setPrice(2)
    await createObject({ text: 'second' })
    await createQueue('second')
    expect([await readName(1), await readPrice(2), await readLatest()]).toEqual(['a name of today', 2, { text: 'second' }])
    await Promise.all([startTurn(5, 'old', -10), endTurn(3, 40), startTurn(6, 'new', 50)])
    await killService(service)

    await start(-1)
    const expected = [
      ['killed', 1, toWireTime(30), toWireTime(30)],
      ['new', 1, toWireTime(50), toWireTime(50)],
      ['old', 4, toWireTime(-10), toWireTime(40)],
    ]
    expect(await readThreads()).toEqual(expected)
    expect(await readThreads(everything)).toEqual(expected)
    expect(await readThreads({ before_datetime: toTime(-5) })).toEqual([['old', 1, toWireTime(-10), toWireTime(-10)]])
    expect([await readName(1), await readPrice(2), await readLatest()]).toEqual(['a name of today', 2, { text: 'second' }])
    await rename(1, '')
    await setPrice(3)
    await createObject({ text: 'third' })
    await createQueue('third')
    expect([await readName(1), await readPrice(2), await readLatest()]).toEqual([null, 3, { text: 'third' }])
    const queues = await client.postLines('/annotation_queues/query', { project_id })
    expect(queues.map(({ name }) => name)).toEqual(['third', 'second', 'first'])
  },
)
