import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SpendGroup } from '../../contract/spend'
import { openTestApp, parseJsonLines, type TestApp } from '../testing/test-app'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

let callCount = 0
const newId = () => (callCount += 1).toString(16).padStart(16, '0')

type TestCall = {
  id?: string
  trace_id?: string
  parent_id?: string
  thread_id?: string
  op_name?: string
  started_at?: string
  attributes?: object
  usage?: object
}
const tokens = (prompt_tokens: number, completion_tokens = 0, more: object = {}) => ({
  requests: 1,
  prompt_tokens,
  completion_tokens,
  ...more,
})

async function send(project_id: string, calls: readonly TestCall[]): Promise<void> {
  const batch = calls.map(({ usage, ...call }) => {
    const id = call.id ?? newId()
    const start = {
      project_id,
      id,
      trace_id: `${id}${id}`,
      op_name: 'op',
      started_at: '2026-03-04T10:00:00Z',
      attributes: {},
      inputs: {},
      ...call,
    }
    return { ...start, ended_at: start.started_at, output: null, summary: usage ? { usage } : {} }
  })
  const response = await app.post(`/v2/${project_id}/calls/complete`, { batch })
  expect([response.status, await response.json()]).toEqual([200, expect.not.objectContaining({ error: expect.anything() })])
}

async function setPrice(project_id: string, model: string, price: object): Promise<void> {
  const cost = { prompt_token_cost: 0, completion_token_cost: 0, effective_date: '2020-01-01', ...price }
  expect((await app.post('/cost/create', { project_id, costs: { [model]: cost } })).status).toBe(200)
}

async function query(project_id: string, request: object = {}): Promise<SpendGroup[]> {
  const response = await app.post('/spend/query', { project_id, ...request })
  const text = await response.text()
  expect([response.status, response.status === 200 ? '' : text]).toEqual([200, ''])
  return parseJsonLines(text) as SpendGroup[] // the app validates its responses
}

async function problems(request: object): Promise<string[]> {
  const response = await app.post('/spend/query', { project_id: 'spend/problems', ...request })
  const { detail } = (await response.json()) as { detail: { loc: string[]; type: string }[] }
  expect(response.status).toBe(422)
  return detail.map(({ loc, type }) => `${loc.join('.')} ${type}`)
}

const usd = (parts: Partial<Record<'prompt' | 'completion' | 'cache_read' | 'cache_creation' | 'total', string>>) => ({
  currency: 'USD',
  prompt: '0',
  completion: '0',
  cache_read: '0',
  cache_creation: '0',
  ...parts,
})

test('what the calls of a project spent, with its cost', async () => {
  const project = 'spend/example'
  await setPrice(project, 'm', { prompt_token_cost: 0.0000025, completion_token_cost: 0.00001 })
  await send(project, [{ usage: { m: tokens(1000, 10) } }, { usage: { m: tokens(3000, 30) } }])
  expect(await query(project)).toEqual([
    {
      call_count: 2,
      unpriced_call_count: 0,
      prompt_tokens: 4000,
      completion_tokens: 40,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
      priced_prompt_tokens: 4000,
      priced_completion_tokens: 40,
      costs: [usd({ prompt: '0.01', completion: '0.0004', total: '0.0104' })],
    },
  ])
})

test('tokens without a price are told apart from those that were paid for', async () => {
  const project = 'spend/priced-tokens'
  await setPrice(project, 'm', { prompt_token_cost: 0.0000025, completion_token_cost: 0.00001 })
  await send(project, [{ usage: { m: tokens(1000, 10) } }, { usage: { m: tokens(1, 2), 'no-such-model': tokens(3000, 30) } }])
  expect(await query(project)).toMatchObject([
    { prompt_tokens: 4001, completion_tokens: 42, priced_prompt_tokens: 1001, priced_completion_tokens: 12 },
  ])
})

test('a project without spent calls has no lines', async () => {
  await send('spend/empty', [{}])
  expect(await query('spend/empty')).toEqual([])
  expect(await query('spend/empty', { group_by: ['model'] })).toEqual([])
})

describe('a project with several models, users and threads', () => {
  const project = 'spend/groups'
  beforeAll(async () => {
    await setPrice(project, 'm', { prompt_token_cost: 0.000001, completion_token_cost: 0.000002, provider_id: 'one' })
    await setPrice(project, 'n', {
      prompt_token_cost: 0.1,
      prompt_token_cost_unit: 'EUR',
      completion_token_cost_unit: 'EUR',
      completion_token_cost: 0.2,
      provider_id: 'two',
    })
    const root = newId()
    const trace_id = `${root}${root}`
    await send(project, [
      { id: root, trace_id, op_name: 'root', thread_id: 't', attributes: { user: { id: 'kim' } } },
      { trace_id, parent_id: root, op_name: 'both', usage: { m: tokens(100, 10), n: tokens(1) } },
      { trace_id, parent_id: root, op_name: 'm', attributes: { 'enduser.id': 'jo' }, usage: { m: tokens(50) } },
      { op_name: 'alone', started_at: '2026-03-05T00:00:00Z', usage: { m: tokens(7) } },
      { op_name: 'unknown', attributes: { provider: 'acme' }, usage: { 'no-such-model': tokens(3) } },
      { op_name: 'total', usage: { m: { requests: 1, total_tokens: 5 } } },
    ])
  })

  test('a call with two models is in both groups, and once in a group without models', async () => {
    const byModel = await query(project, { group_by: ['model'], sort_by: [{ field: 'model', direction: 'asc' }] })
    expect(byModel.map(({ model, call_count: count }) => [model, count])).toEqual([
      ['m', 4],
      ['n', 1],
      ['no-such-model', 1],
    ])
    const [all] = await query(project)
    expect(all).toMatchObject({ call_count: 5, unpriced_call_count: 2, prompt_tokens: 161, completion_tokens: 10 })
    expect(all?.costs).toEqual([
      { currency: 'EUR', prompt: '0.1', completion: '0', cache_read: '0', cache_creation: '0', total: '0.1' },
      usd({ prompt: '0.000157', completion: '0.00002', total: '0.000177' }),
    ])
  })

  test('users and threads are those of the nearest call above; providers those of the price, else the named one', async () => {
    const keys = async (key: string) => {
      const groups = await query(project, { group_by: [key], sort_by: [{ field: key, direction: 'asc' }] })
      return groups.map((group) => [group[key as 'user'], group.prompt_tokens]) // the keys of the test
    }
    expect(await keys('user')).toEqual([
      ['jo', 50],
      ['kim', 101],
      [null, 10],
    ])
    expect(await keys('thread_id')).toEqual([
      ['t', 151],
      [null, 10],
    ])
    expect(await keys('provider')).toEqual([
      ['acme', 3],
      ['one', 157],
      ['two', 1],
    ])
    expect(await keys('op_name')).toEqual([
      ['alone', 7],
      ['both', 101],
      ['m', 50],
      ['total', 0],
      ['unknown', 3],
    ])
  })

  test.each([
    [{ models: ['n'] }, 1, 1],
    [{ models: [] }, 5, 161],
    [{ providers: ['one'] }, 4, 157],
    [{ providers: ['acme'] }, 1, 3],
    [{ users: ['kim', 'jo'] }, 2, 151],
    [{ op_names: ['alone'] }, 1, 7],
    [{ thread_ids: ['t'], models: ['m'] }, 2, 150],
    [{ after_datetime: '2026-03-04T10:00:00Z' }, 1, 7],
    [{ after_datetime: '2026-03-04T09:59:59.999999Z', before_datetime: '2026-03-05T00:00:00Z' }, 4, 154],
  ])('filter %j', async (filter, count, promptTokens) => {
    expect(await query(project, { filter })).toMatchObject([{ call_count: count, prompt_tokens: promptTokens }])
  })

  test('without an order, the largest amount in USD is first, then other currencies, groups without money are last', async () => {
    const models = async (request: object) =>
      (await query(project, { group_by: ['model'], ...request })).map(({ model }) => model)
    expect(await models({})).toEqual(['m', 'n', 'no-such-model'])
    expect(await models({ sort_by: [{ field: 'total', direction: 'asc' }] })).toEqual(['m', 'n', 'no-such-model'])
    expect(await models({ sort_by: [{ field: 'call_count', direction: 'asc' }] })).toEqual(['n', 'no-such-model', 'm'])
    expect(await models({ sort_by: [{ field: 'model', direction: 'desc' }], limit: 1, offset: 1 })).toEqual(['n'])
    expect(await models({ limit: 0 })).toEqual([])
    const users = async (direction: string) =>
      (await query(project, { group_by: ['user'], sort_by: [{ field: 'user', direction }] })).map(({ user }) => user)
    expect(await users('asc')).toEqual(['jo', 'kim', null])
    expect(await users('desc')).toEqual(['kim', 'jo', null])
  })

  test('groups of three keys', async () => {
    const groups = await query(project, {
      group_by: ['interval', 'model', 'user'],
      interval: 'day',
      sort_by: [{ field: 'interval', direction: 'desc' }],
      limit: 2,
    })
    expect(groups).toMatchObject([
      { interval: '2026-03-05T00:00:00Z', model: 'm', user: null, prompt_tokens: 7 },
      { interval: '2026-03-04T00:00:00Z', model: 'm', user: 'jo', prompt_tokens: 50 },
    ])
  })
})

test('cached tokens cost what the price says, and where it says nothing, what the prompt costs', async () => {
  const project = 'spend/cached'
  await setPrice(project, 'm', { prompt_token_cost: 0.01, cache_read_input_token_cost: 0.001 })
  await send(project, [
    { usage: { m: tokens(100, 0, { prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 }, total_tokens: 100 }) } },
  ])
  expect(await query(project)).toMatchObject([
    {
      prompt_tokens: 100,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 10,
      costs: [usd({ prompt: '0.3', cache_read: '0.06', cache_creation: '0.1', total: '0.46' })],
    },
  ])
})

test('a parent that adds up its children spends only the rest, and late parts count from the next query on', async () => {
  const project = 'spend/late'
  const parent = newId()
  const trace_id = `${parent}${parent}`
  await send(project, [{ id: parent, trace_id, usage: { m: tokens(100) } }])
  expect(await query(project)).toMatchObject([{ call_count: 1, prompt_tokens: 100, unpriced_call_count: 1, costs: [] }])
  await send(project, [{ trace_id, parent_id: parent, usage: { m: tokens(70) } }])
  expect(await query(project)).toMatchObject([{ call_count: 2, prompt_tokens: 100 }])
  await setPrice(project, 'm', { prompt_token_cost: 2 })
  expect(await query(project)).toMatchObject([{ unpriced_call_count: 0, costs: [usd({ prompt: '200', total: '200' })] }])
})

test('the price in force when a call was made counts, to the microsecond', async () => {
  const project = 'spend/dates'
  await setPrice(project, 'm', { prompt_token_cost: 1 })
  await setPrice(project, 'm', { prompt_token_cost: 10, effective_date: '2026-03-04T10:30:00Z' })
  await send(project, [
    { started_at: '2026-03-04T10:29:59.999999Z', usage: { m: tokens(1) } },
    { started_at: '2026-03-04T10:30:00Z', usage: { m: tokens(1) } },
  ])
  expect((await query(project))[0]?.costs).toEqual([usd({ prompt: '11', total: '11' })])
})

test('calls of other projects are not counted', async () => {
  await send('spend/other', [{ usage: { m: tokens(1) } }])
  expect(await query('spend/another')).toEqual([])
})

describe('intervals', () => {
  const project = 'spend/intervals'
  beforeAll(() =>
    send(
      project,
      [
        '2026-10-24T23:30:00Z',
        '2026-10-25T00:30:00Z',
        '2026-10-25T01:30:00Z',
        '2026-10-25T23:30:00Z',
        '2026-11-02T12:00:00Z',
      ].map((started_at) => ({ started_at, usage: { m: tokens(1) } })),
    ),
  )
  const intervals = async (interval: string, time_zone?: string) => {
    const sort_by = [{ field: 'interval', direction: 'asc' }]
    const groups = await query(project, { group_by: ['interval'], interval, time_zone, sort_by })
    return groups.map((group) => `${group.interval} ${group.call_count}`)
  }

  test('an hour that comes twice is two, and empty intervals are left out', async () => {
    expect(await intervals('hour', 'Europe/Berlin')).toEqual([
      '2026-10-25T01:00:00+02:00 1',
      '2026-10-25T02:00:00+02:00 1',
      '2026-10-25T02:00:00+01:00 1',
      '2026-10-26T00:00:00+01:00 1',
      '2026-11-02T13:00:00+01:00 1',
    ])
  })

  test('days, weeks from Monday and months begin at midnight of the zone, which is UTC by default', async () => {
    expect(await intervals('day', 'Europe/Berlin')).toEqual([
      '2026-10-25T00:00:00+02:00 3',
      '2026-10-26T00:00:00+01:00 1',
      '2026-11-02T00:00:00+01:00 1',
    ])
    expect(await intervals('week')).toEqual(['2026-10-19T00:00:00Z 4', '2026-11-02T00:00:00Z 1'])
    expect(await intervals('month', 'America/New_York')).toEqual(['2026-10-01T00:00:00-04:00 4', '2026-11-01T00:00:00-04:00 1'])
  })
})

describe('what if', () => {
  const project = 'spend/what-if'
  beforeAll(async () => {
    await setPrice(project, 'm', { prompt_token_cost: 1 })
    await setPrice(project, 'dear', { prompt_token_cost: 5, completion_token_cost: 7 })
    await setPrice(project, 'dear', { prompt_token_cost: 50, effective_date: '2026-06-01', completion_token_cost_unit: 'EUR' })
    await send(project, [
      { usage: { m: tokens(1, 1), 'no-such-model': tokens(1) } },
      { started_at: '2026-07-01T00:00:00Z', usage: { m: tokens(2) } },
    ])
  })

  test('all counted calls cost what the other model cost when they were made, unpriced ones too', async () => {
    const [group] = await query(project, { reprice_as: [{ llm_id: 'm' }, { llm_id: 'dear', provider_id: 'default' }] })
    expect(group?.unpriced_call_count).toBe(1)
    expect(group?.repriced).toEqual([
      { llm_id: 'm', provider_id: null, call_count: 2, total: '4', currency: 'USD' },
      { llm_id: 'dear', provider_id: 'default', call_count: 2, total: '0', currency: 'EUR' },
      { llm_id: 'dear', provider_id: 'default', call_count: 2, total: '117', currency: 'USD' },
    ])
  })

  test('filters of models select what is repriced', async () => {
    const [group] = await query(project, { filter: { models: ['no-such-model'] }, reprice_as: [{ llm_id: 'dear' }] })
    expect(group?.repriced).toEqual([{ llm_id: 'dear', provider_id: null, call_count: 1, total: '5', currency: 'USD' }])
  })

  test('a model or a provider without a price is refused', async () => {
    expect(await problems({ project_id: project, reprice_as: [{ llm_id: 'm' }, { llm_id: 'no-such-model' }] })).toEqual([
      'body.reprice_as.1.llm_id value_error',
    ])
    expect(await problems({ project_id: project, reprice_as: [{ llm_id: 'm', provider_id: 'nobody' }] })).toEqual([
      'body.reprice_as.0.provider_id value_error',
    ])
  })
})

test.each([
  [{ group_by: ['interval'] }, ['body.interval value_error']],
  [{ interval: 'day' }, ['body.interval value_error']],
  [{ interval: 'year', group_by: ['interval'] }, ['body.interval literal_error']],
  [{ group_by: ['model', 'model'] }, ['body.group_by value_error']],
  [{ group_by: ['model', 'user', 'provider', 'op_name'] }, ['body.group_by too_long']],
  [{ group_by: ['colour'] }, ['body.group_by.0 literal_error']],
  [{ time_zone: 'Mars/Olympus' }, ['body.time_zone value_error']],
  [{ time_zone: '+05:30' }, ['body.time_zone value_error']],
  [{ sort_by: [{ field: 'model', direction: 'asc' }] }, ['body.sort_by.0.field value_error']],
  [{ sort_by: [{ field: 'price', direction: 'asc' }] }, ['body.sort_by.0.field literal_error']],
  [{ reprice_as: Array.from({ length: 5 }, () => ({ llm_id: 'm' })) }, ['body.reprice_as too_long']],
  [{ filter: { model: ['m'] } }, ['body.filter.model extra_forbidden']],
  [{ limit: -1 }, ['body.limit greater_than_equal']],
])('%j is refused', async (request, expected) => {
  expect(await problems(request)).toEqual(expected)
})
