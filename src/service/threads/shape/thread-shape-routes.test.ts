import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ThreadShape, TurnsOfInterval } from '../../../contract/thread-shape'
import { administrator, openTestApp, parseJsonLines, reviewer, type TestApp } from '../../testing/test-app'
import { insertTestPrices } from '../testing/test-prices'

const project_id = 'acme/support'
let service: TestApp
beforeAll(async () => {
  service = await openTestApp()
  await insertTestPrices(service.store)
  await write(
    turn({ id: 1, thread: 'order-1', at: '2026-01-05T10:00:00Z', ms: 100 }),
    turn({ id: 2, thread: 'order-1', at: '2026-01-05T10:30:00Z', ms: 200, exception: 'TimeoutError' }),
    turn({ id: 3, thread: 'order-2', at: '2026-01-05T11:10:00Z', ms: 300, text: 'refund please' }),
    turn({
      id: 4,
      thread: 'order-2',
      at: '2026-01-05T13:00:00Z',
      ms: 400,
      usage: { m: { prompt_tokens: 1000, completion_tokens: 10 } },
    }),
    turn({ id: 5, thread: 'chat', at: '2026-01-05T13:20:00Z' }),
  )
})
afterAll(() => service.close())

type Seed = { id: number; thread: string; at: string; ms?: number; exception?: string; text?: string; usage?: object }

function turn({ id: number, thread, at, ms, exception, text = '', usage }: Seed): object[] {
  const id = String(number).padStart(16, '0')
  const call = { project_id, id, trace_id: id.repeat(2), thread_id: thread, turn_id: id, op_name: 'answer', attributes: {} }
  const start = { mode: 'start', req: { start: { ...call, started_at: at, inputs: { text } } } }
  if (ms === undefined) return [start]
  const ended_at = new Date(Date.parse(at) + ms).toISOString()
  return [start, { mode: 'end', req: { end: { project_id, id, ended_at, exception, summary: { usage } } } }]
}

async function write(...calls: object[][]): Promise<void> {
  const response = await service.post('/call/upsert_batch', { batch: calls.flat() })
  expect(await response.text()).not.toContain('error')
}

async function readShape(fields: object = {}): Promise<ThreadShape> {
  const response = await service.post('/threads/shape', { project_id, ...fields })
  const text = await response.text()
  expect([response.status, text]).toEqual([200, expect.any(String)])
  return JSON.parse(text) as ThreadShape // the app checks it by the contract
}
async function readHistory(fields: object = {}): Promise<TurnsOfInterval[]> {
  const response = await service.post('/threads/history', { project_id, ...fields })
  const text = await response.text()
  expect([response.status, text]).toEqual([200, expect.any(String)])
  return parseJsonLines(text) as TurnsOfInterval[]
}

test('a shape has when turns started, how long they took, and the threads by turns and p99', async () => {
  expect(await readShape()).toEqual({
    thread_count: 3,
    turn_count: 5,
    finished_turn_count: 4,
    p50_turn_duration_ms: 250,
    p99_turn_duration_ms: 397,
    starts: [
      { interval: '2026-01-05T10:00:00Z', interval_end: '2026-01-05T11:00:00Z', turn_count: 2, thread_count: 1 },
      { interval: '2026-01-05T11:00:00Z', interval_end: '2026-01-05T12:00:00Z', turn_count: 1, thread_count: 1 },
      { interval: '2026-01-05T12:00:00Z', interval_end: '2026-01-05T13:00:00Z', turn_count: 0, thread_count: 0 },
      { interval: '2026-01-05T13:00:00Z', interval_end: '2026-01-05T14:00:00Z', turn_count: 2, thread_count: 2 },
    ],
    durations: [
      { from_ms: 100, to_ms: 120, turn_count: 1 },
      { from_ms: 120, to_ms: 150, turn_count: 0 },
      { from_ms: 150, to_ms: 180, turn_count: 0 },
      { from_ms: 180, to_ms: 220, turn_count: 1 },
      { from_ms: 220, to_ms: 270, turn_count: 0 },
      { from_ms: 270, to_ms: 330, turn_count: 1 },
      { from_ms: 330, to_ms: 390, turn_count: 0 },
      { from_ms: 390, to_ms: 470, turn_count: 1 },
    ],
    threads: [
      {
        from_turns: 2,
        to_turns: 3,
        from_ms: 330,
        to_ms: 470,
        thread_count: 1,
        threads: [{ thread_id: 'order-2', turn_count: 2, p99_turn_duration_ms: 399 }],
      },
      {
        from_turns: 2,
        to_turns: 3,
        from_ms: 150,
        to_ms: 220,
        thread_count: 1,
        threads: [{ thread_id: 'order-1', turn_count: 2, p99_turn_duration_ms: 199 }],
      },
    ],
  })
})

test('a history has exact percentiles of each interval in the time zone, and the errors where they are asked for', async () => {
  expect(await readHistory({ interval: 'day', time_zone: 'Asia/Kolkata', include_errors: true })).toEqual([
    {
      interval: '2026-01-05T00:00:00+05:30',
      interval_end: '2026-01-06T00:00:00+05:30',
      turn_count: 5,
      finished_turn_count: 4,
      thread_count: 3,
      p50_turn_duration_ms: 250,
      p99_turn_duration_ms: 397,
      error_count: 1,
    },
  ])
  const hours = await readHistory({ interval: 'auto', include_errors: true })
  expect(hours.map(({ interval, p50_turn_duration_ms: p50, error_count }) => [interval, p50, error_count])).toEqual([
    ['2026-01-05T10:00:00Z', 150, 1],
    ['2026-01-05T11:00:00Z', 300, 0],
    ['2026-01-05T12:00:00Z', null, 0],
    ['2026-01-05T13:00:00Z', 400, 0],
  ])
})

test('without an interval a history is one line, also for no turns', async () => {
  const [all] = await readHistory({ include_errors: true, filter: { after_datetime: '2026-01-05T10:30:00Z' } })
  expect(all).toEqual({
    turn_count: 3,
    finished_turn_count: 2,
    thread_count: 2,
    p50_turn_duration_ms: 350,
    p99_turn_duration_ms: 399,
    error_count: 0,
  })
  const none = { filter: { thread_id_prefix: 'unknown' } }
  expect(await readHistory(none)).toMatchObject([{ turn_count: 0, p50_turn_duration_ms: null }])
  expect(await readHistory({ ...none, interval: 'hour' })).toEqual([])
  expect(await readShape(none)).toMatchObject({ turn_count: 0, starts: [], durations: [], threads: [] })
})

test.each<[object, number]>([
  [{ text: 'refund' }, 2],
  [{ has_errors: true }, 2],
  [{ models: ['m'] }, 2],
  [{ thread_id_prefix: 'order' }, 4],
  [{ min_p99_ms: 300 }, 2],
  [{ min_cost: '0.0001' }, 2],
  [{ has_errors: true, before_datetime: '2026-01-05T10:30:00Z' }, 0],
])('the filter %j leaves %i turns, as it does in a search', async (filter, turnCount) => {
  expect(await readShape({ filter })).toMatchObject({ turn_count: turnCount })
  expect(await readHistory({ filter, include_errors: true })).toMatchObject([{ turn_count: turnCount }])
  const found = parseJsonLines(await (await service.post('/threads/search', { project_id, filter })).text()) as {
    turn_count: number
  }[]
  expect(found.reduce((sum, { turn_count }) => sum + turn_count, 0)).toBe(turnCount)
})

test.each([
  ['a thread without turns', 'no-turn', '2026-01-05T10:00:00Z'],
  ['a thread with turns, below none of them', 'order-1', '2026-01-05T12:00:00Z'],
  ['a thread with turns, after the last of them', 'order-1', '2026-01-07T12:00:00Z'],
])('a call that failed in %s is no error of a turn', async (_, thread_id, started_at) => {
  const id = String(Date.parse(started_at)).padStart(16, '0')
  const call = { project_id, id, trace_id: id.repeat(2), thread_id, op_name: 'answer', attributes: {}, inputs: {} }
  await write([
    { mode: 'start', req: { start: { ...call, started_at } } },
    { mode: 'end', req: { end: { project_id, id, ended_at: '2026-01-08T10:00:01Z', exception: 'Boom', summary: {} } } },
  ])
  expect(await readHistory({ include_errors: true })).toMatchObject([{ turn_count: 5, error_count: 1 }])
  const hours = await readHistory({ interval: 'hour', include_errors: true })
  expect(hours.map(({ error_count }) => error_count)).toEqual([1, 0, 0, 0])
  const filter = { thread_ids: ['order-1'], after_datetime: '2026-01-05T10:30:00Z' }
  expect(await readHistory({ filter, include_errors: true })).toMatchObject([{ error_count: 0 }])
})

test('a turn of centuries is within the step that it is counted in', async () => {
  await write(turn({ id: 7, thread: 'slow', at: '1900-01-02T00:00:00Z', ms: 1.2e13 }))
  const step = { from_ms: 8.2e12, to_ms: 8.2e13 }
  const { durations, threads } = await readShape({ filter: { thread_ids: ['slow'] } })
  expect([durations, threads]).toMatchObject([[{ ...step, turn_count: 1 }], [{ from_ms: 6.8e12, to_ms: 6.8e13 }]])
  await service.post('/calls/delete', { project_id, call_ids: ['7'.padStart(16, '0')] })
})

test('too many intervals are refused, and auto takes longer ones', async () => {
  await write(turn({ id: 8, thread: 'old', at: '1990-01-05T10:00:00Z', ms: 1 }))
  const response = await service.post('/threads/history', { project_id, interval: 'day' })
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({ detail: [{ loc: ['body', 'interval'], type: 'answer_too_large' }] })
  const { starts } = await readShape()
  expect([starts[0]?.interval, starts.at(-1)?.interval, starts.length]).toEqual([
    '1990-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z',
    433,
  ])
})

test.each([
  [{ interval: 'minute' }, 'body.interval literal_error'],
  [{ time_zone: 'Mars/Base' }, 'body.time_zone value_error'],
  [{ filter: { max_turns: 3 } }, 'body.filter.max_turns extra_forbidden'],
  [{ sort_by: [] }, 'body.sort_by extra_forbidden'],
])('%j is refused as %s', async (fields, expected) => {
  for (const path of ['/threads/shape', '/threads/history']) {
    const response = await service.post(path, { project_id, ...fields })
    expect(response.status).toBe(422)
    const { detail } = (await response.json()) as { detail: { loc: string[]; type: string }[] }
    expect(detail.map(({ loc, type }) => `${loc.join('.')} ${type}`)).toEqual([expected])
  }
})

test('another project has nothing of it, and a user without access is refused', async () => {
  const other = await service.post('/threads/shape', { project_id: 'acme/other' })
  expect(await other.json()).toMatchObject({ turn_count: 0 })
  for (const path of ['/threads/shape', '/threads/history']) {
    expect((await service.post(path, { project_id: 'acme/other' }, reviewer)).status).toBe(403)
    expect((await service.post(path, { project_id }, { ...administrator, password: 'wrong' })).status).toBe(401)
  }
})
