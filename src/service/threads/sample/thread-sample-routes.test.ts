import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ThreadSample } from '../../../contract/thread-sample'
import { administrator, openTestApp, reviewer, type TestApp } from '../../testing/test-app'
import { insertTestPrices } from '../testing/test-prices'

const project_id = 'acme/support'
let service: TestApp
beforeAll(async () => {
  service = await openTestApp()
  await insertTestPrices(service.store)
  await write(turns)
})
afterAll(() => service.close())

type Turn = { id: string; thread: string; second: number; ms: number | undefined; model: string; hasFailed: boolean }

const toId = (index: number) => String(index).padStart(16, '0')

/** Forty turns of five threads, a second apart. The last one still runs; every tenth fails; a quarter is of the model `n`. */
const turns: Turn[] = Array.from({ length: 40 }, (_, index) => ({
  id: toId(index),
  thread: `thread-${index % 5}`,
  second: index,
  ms: index === 39 ? undefined : (index * 37) % 1000,
  model: index % 4 === 0 ? 'n' : 'm',
  hasFailed: index % 10 === 3,
}))
const ids = (some: readonly Turn[]) => some.map(({ id }) => id)

/** The failure and the tokens of a turn are those of a call below it. */
async function write(some: readonly Turn[], projectId = project_id): Promise<void> {
  const batch = some.flatMap(({ id, thread, second, ms, model, hasFailed }) => {
    const started_at = new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString()
    const common = { project_id: projectId, trace_id: id.repeat(2), attributes: {}, inputs: {}, started_at }
    const ended_at = new Date(Date.parse(started_at) + (ms ?? 0)).toISOString()
    const belowId = `b${id.slice(1)}`
    const summary = { usage: { [model]: { requests: 1, prompt_tokens: 10, completion_tokens: 1 } } }
    return [
      { mode: 'start', req: { start: { ...common, id, thread_id: thread, turn_id: id, op_name: 'answer' } } },
      ...(ms === undefined ? [] : [{ mode: 'end', req: { end: { project_id: projectId, id, ended_at, summary: {} } } }]),
      { mode: 'start', req: { start: { ...common, id: belowId, parent_id: id, op_name: 'chat' } } },
      {
        mode: 'end',
        req: { end: { project_id: projectId, id: belowId, ended_at, summary, ...(hasFailed && { exception: 'TimeoutError' }) } },
      },
    ]
  })
  const response = await service.post('/call/upsert_batch', { batch })
  expect(await response.text()).not.toContain('error')
}

async function sample(fields: object = {}): Promise<ThreadSample> {
  const response = await service.post('/threads/sample', { project_id, ...fields })
  const text = await response.text()
  expect([response.status, text]).toEqual([200, expect.any(String)])
  return JSON.parse(text) as ThreadSample // the app checks it by the contract
}

/** The published order of a sample. */
function bySeed(some: readonly Turn[], seed: string): string[] {
  const rank = (id: string) => createHash('sha256').update(`${seed}:${id}`).digest('hex')
  return ids(some).toSorted((left, right) => (rank(left) < rank(right) ? -1 : 1))
}

test('a sample has the turns with the lowest SHA-256 of seed and id, and the same again for the same seed', async () => {
  const first = await sample({ sample: { size: 7, seed: '42' } })
  expect(first).toEqual({ thread_count: 5, turn_count: 40, strata: [], turn_ids: bySeed(turns, '42').slice(0, 7) })
  expect(await sample({ sample: { size: 7, seed: '42' } })).toEqual(first)
  expect((await sample({ sample: { size: 7, seed: '43' } })).turn_ids).toEqual(bySeed(turns, '43').slice(0, 7))
  expect((await sample({ sample: { size: 100, seed: 'é' } })).turn_ids).toEqual(bySeed(turns, 'é'))
})

test('without a sample all turns come by thread and start', async () => {
  const { turn_ids: found } = await sample()
  const sorted = turns.toSorted((left, right) => (left.thread < right.thread ? -1 : left.thread > right.thread ? 1 : 0))
  expect(found).toEqual(ids(sorted))
})

test('a sample of nothing only counts', async () => {
  expect(await sample({ sample: { size: 0, seed: '' }, filter: { thread_ids: ['thread-1', 'thread-2'] } })).toEqual({
    thread_count: 2,
    turn_count: 16,
    strata: [],
    turn_ids: [],
  })
})

test('the turns are those of the threads that a search finds, within its window', async () => {
  const filter = { after_datetime: '2026-01-01T00:00:09.5Z', before_datetime: '2026-01-01T00:00:20Z', op_names: ['chat'] }
  const { turn_ids: found } = await sample({ filter, sample: { size: 40, seed: '1' } })
  expect(found).toEqual(bySeed(turns.slice(10, 20), '1'))
  expect(await sample({ filter: { min_p99_ms: 2000 } })).toMatchObject({ thread_count: 0, turn_count: 0, turn_ids: [] })
  expect(
    (await sample({ filter: { text: 'nothing' }, sample: { size: 9, seed: '1', stratify_by: 'slowest' } })).turn_ids,
  ).toEqual([])
})

test('of each thread the last, the slowest or the failed turns may be meant', async () => {
  const of = (thread: string) => turns.filter((turn) => turn.thread === thread)
  const threads = [0, 1, 2, 3, 4].map((index) => of(`thread-${index}`))
  expect((await sample({ turns: 'last' })).turn_ids).toEqual(threads.flatMap((own) => own.at(-1)?.id ?? []))
  const slowest = (own: readonly Turn[]) => own.toSorted((left, right) => (right.ms ?? -1) - (left.ms ?? -1))[0]?.id ?? ''
  expect((await sample({ turns: 'slowest' })).turn_ids).toEqual(threads.map(slowest))
  expect(await sample({ turns: 'failed' })).toMatchObject({
    thread_count: 1,
    turn_count: 4,
    turn_ids: ids(turns.filter(({ hasFailed }) => hasFailed)),
  })
})

test('a stratified sample has equal shares as long as there are turns, and says what it took', async () => {
  const byModel = await sample({ sample: { size: 12, seed: '7', stratify_by: 'model' } })
  expect(byModel.strata).toEqual([
    { name: 'm', turn_count: 30, sampled_count: 6 },
    { name: 'n', turn_count: 10, sampled_count: 6 },
  ])
  const ofModel = (model: string) =>
    bySeed(
      turns.filter((turn) => turn.model === model),
      '7',
    ).slice(0, 6)
  expect(byModel.turn_ids.toSorted()).toEqual([...ofModel('m'), ...ofModel('n')].toSorted())

  const byErrors = await sample({ sample: { size: 10, seed: '7', stratify_by: 'errors' } })
  expect(byErrors.strata).toEqual([
    { name: 'others', turn_count: 36, sampled_count: 6 },
    { name: 'failed', turn_count: 4, sampled_count: 4 },
  ])
  const bySlowest = await sample({ sample: { size: 4, seed: '7', stratify_by: 'slowest' } })
  expect(bySlowest.strata).toEqual([
    { name: 'others', turn_count: 36, sampled_count: 2 },
    { name: 'slowest_tenth', turn_count: 4, sampled_count: 2 },
  ])
  const slowest = turns.filter(({ ms }) => ms !== undefined).toSorted((left, right) => (right.ms ?? 0) - (left.ms ?? 0))
  expect(bySlowest.turn_ids.filter((id) => ids(slowest.slice(0, 4)).includes(id))).toHaveLength(2)
})

test('of turns that took equally long, the first ones are in the slowest tenth', async () => {
  const even = { thread: 'even', ms: 500, model: 'm', hasFailed: false }
  const equal = Array.from({ length: 21 }, (_, index) => ({
    ...even,
    id: `e${toId(index).slice(1)}`,
    second: 100 + (index >> 1),
  }))
  await write(equal, 'acme/even')
  const { strata, turn_ids: found } = await sample({
    project_id: 'acme/even',
    sample: { size: 6, seed: '1', stratify_by: 'slowest' },
  })
  expect(strata).toEqual([
    { name: 'others', turn_count: 18, sampled_count: 3 },
    { name: 'slowest_tenth', turn_count: 3, sampled_count: 3 },
  ])
  expect(found).toEqual(expect.arrayContaining(ids(equal.slice(0, 3))))
})

test.each([
  [{ sample: { size: -1, seed: '' } }, 'body.sample.size value_error'],
  [{ sample: { size: 50_001, seed: '' } }, 'body.sample.size value_error'],
  [{ sample: { size: 1.5, seed: '' } }, 'body.sample.size value_error'],
  [{ sample: { size: 1 } }, 'body.sample.seed missing'],
  [{ sample: { size: 1, seed: 'x'.repeat(101) } }, 'body.sample.seed string_too_long'],
  [{ sample: { size: 1, seed: '', stratify_by: 'user' } }, 'body.sample.stratify_by literal_error'],
  [{ turns: 'first' }, 'body.turns literal_error'],
  [{ filter: { thread: 'x' } }, 'body.filter.thread extra_forbidden'],
  [{ limit: 3 }, 'body.limit extra_forbidden'],
])('%j is refused as %s', async (fields, expected) => {
  const response = await service.post('/threads/sample', { project_id, ...fields })
  expect(response.status).toBe(422)
  const { detail } = (await response.json()) as { detail: { loc: string[]; type: string }[] }
  expect(detail.map(({ loc, type }) => `${loc.join('.')} ${type}`)).toEqual([expected])
})

test('another project has nothing to sample, and a user without access is refused', async () => {
  expect(await sample({ project_id: 'acme/other' })).toMatchObject({ turn_count: 0, turn_ids: [] })
  expect((await service.post('/threads/sample', { project_id: 'acme/other' }, reviewer)).status).toBe(403)
  expect((await service.post('/threads/sample', { project_id }, { ...administrator, password: 'wrong' })).status).toBe(401)
})

test('sixty samples at once by two people are each what they would be alone', async () => {
  const asked = Array.from({ length: 60 }, (_, index) => ({ size: 1 + (index % 9), seed: `seed ${index % 20}` }))
  const replies = await Promise.all(
    asked.map(async (each, index) => {
      const user = index % 2 === 0 ? administrator : reviewer
      const response = await service.post('/threads/sample', { project_id, sample: each }, user)
      return [response.status, ((await response.json()) as ThreadSample).turn_ids] // the app checks it by the contract
    }),
  )
  expect(replies).toEqual(asked.map(({ size, seed }) => [200, bySeed(turns, seed).slice(0, size)]))
})
