import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BudgetState } from '../../../contract/budget'
import { administrator, openTestApp, reviewer, type TestApp } from '../../testing/test-app'

const dayMs = 86_400_000
const project_id = 'acme/support'
/** The clock of the service says this at the start of the tests, whenever they run. */
const nowMs = Date.UTC(2026, 2, 11)

let service: TestApp
beforeAll(async () => {
  service = await openTestApp()
  service.clock.offsetMs = nowMs - Date.now()
  await service.post('/cost/create', {
    project_id,
    costs: { m: { prompt_token_cost: 0.01, completion_token_cost: 0, effective_date: '2026-01-01' } },
  })
  // 1 USD on each day since 15 February.
  await write(
    project_id,
    Array.from({ length: 24 }, (_, index) => nowMs - (index + 0.5) * dayMs),
  )
})
afterAll(() => service.close())

/** Calls that cost 1 USD each. */
async function write(projectId: string, starts: readonly number[]): Promise<void> {
  const batch = starts.flatMap((startMs, index) => {
    const id = String(index).padStart(16, '0')
    const times = { started_at: new Date(startMs).toISOString(), ended_at: new Date(startMs + 1).toISOString() }
    const start = {
      project_id: projectId,
      id,
      trace_id: String(index).padStart(32, '0'),
      op_name: 'op',
      attributes: {},
      inputs: {},
    }
    const summary = { usage: { m: { prompt_tokens: 100, completion_tokens: 0 } } }
    return [
      { mode: 'start', req: { start: { ...start, started_at: times.started_at } } },
      { mode: 'end', req: { end: { project_id: projectId, id, ended_at: times.ended_at, summary } } },
    ]
  })
  const response = await service.post('/call/upsert_batch', { batch })
  expect(await response.text()).not.toContain('error')
}

async function read(fields: object = {}): Promise<BudgetState> {
  const response = await service.post('/budget/read', { project_id, ...fields })
  expect(response.status).toBe(200)
  return (await response.json()) as BudgetState // the app checks it by the contract
}
const update = (fields: object, user: typeof administrator | typeof reviewer = administrator) =>
  service.post('/budget/update', { project_id, ...fields }, user)

test('a project has no budget until one is set', async () => {
  expect(await read()).toEqual({ budget: null, month: null })
})

test('a budget shows what is spent in its month, and when it is passed at the pace of the last seven days', async () => {
  expect((await update({ amount: '25.50' })).status).toBe(200)
  const { budget, month } = await read()
  expect(budget).toMatchObject({ amount: '25.50', currency: 'USD', updated_by: 'admin' })
  expect(month).toMatchObject({ from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z', spent: '10', exceeded_since: null })
  // 1 USD a day for the 21 days that are left.
  expect(Number(month?.per_day)).toBeCloseTo(1, 2)
  expect(Number(month?.forecast)).toBeCloseTo(31, 2)
  expect(Date.parse(month?.exceeds_at ?? '') / dayMs).toBeCloseTo(nowMs / dayMs + 15.5, 1)
})

test('the pace of a young project is that of the days since its first call that is not deleted', async () => {
  const young = 'acme/young'
  await service.post('/cost/create', {
    project_id: young,
    costs: { m: { prompt_token_cost: 0.01, completion_token_cost: 0, effective_date: '2026-01-01' } },
  })
  await write(young, [nowMs - 2 * dayMs, nowMs - dayMs, nowMs - 6 * dayMs, nowMs - 60 * dayMs])
  await update({ project_id: young, amount: '100' })
  const call_ids = ['0000000000000002', '0000000000000003']
  expect((await service.post('/calls/delete', { project_id: young, call_ids })).status).toBe(200)
  expect(Number((await read({ project_id: young })).month?.per_day)).toBeCloseTo(1, 2)
})

test('a smaller budget is exceeded since a day, of the time zone that is asked for', async () => {
  await update({ amount: '3' })
  expect((await read()).month).toMatchObject({ exceeded_since: '2026-03-04T00:00:00Z', exceeds_at: null })
  const { month } = await read({ time_zone: 'Asia/Tokyo' })
  expect(month).toMatchObject({ from: '2026-02-28T15:00:00Z', to: '2026-03-31T15:00:00Z' })
  expect(month?.exceeded_since).toBe('2026-03-03T15:00:00Z')
})

test('spend in another currency is not counted, and the last one that was set holds, also after the clock was set back', async () => {
  await update({ amount: '9', currency: 'EUR' })
  expect(await read()).toMatchObject({ budget: { amount: '9', currency: 'EUR' }, month: { spent: '0', forecast: '0' } })
  service.clock.offsetMs -= dayMs
  await update({ amount: '11' }, reviewer)
  service.clock.offsetMs += dayMs
  expect((await read()).budget).toMatchObject({ amount: '11', currency: 'USD', updated_by: reviewer.username })
  await update({ amount: null })
  expect(await read()).toEqual({ budget: null, month: null })
})

test.each([
  ['an amount that is a number', { amount: 5 }],
  ['zero', { amount: '0.00' }],
  ['a negative amount', { amount: '-1' }],
  ['an exponent', { amount: '1e3' }],
  ['more digits than any budget has', { amount: '1'.repeat(16) }],
  ['an unknown field', { amount: '1', month: '2026-03' }],
])('%s is refused', async (_, fields) => {
  expect((await update(fields)).status).toBe(422)
  expect((await read()).budget).toBeNull()
})

test('an unknown time zone is refused, and so is a project of others', async () => {
  expect((await service.post('/budget/read', { project_id, time_zone: 'Mars/Olympus' })).status).toBe(422)
  expect((await service.post('/budget/read', { project_id: 'acme/other' }, reviewer)).status).toBe(403)
  expect((await update({ project_id: 'acme/other', amount: '1' }, reviewer)).status).toBe(403)
})
