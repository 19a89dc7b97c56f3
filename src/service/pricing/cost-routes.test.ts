import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { compareText } from '../../contract/compare-text'
import { costFields } from '../../contract/cost-fields'
import { bundledCatalog, syncCatalog } from './sync-catalog'
import { openTestApp, reviewer, type TestApp } from '../testing/test-app'

let service: TestApp
let project = ''
let count = 0
beforeAll(async () => {
  service = await openTestApp()
})
beforeEach(() => {
  project = `a/p${(count += 1)}`
})
afterAll(() => service.close())

type Body = {
  results: Record<string, unknown>[]
  ids: [string, string][]
  detail: { loc: string[]; msg: string; type: string }[]
}

async function ask(path: string, body: unknown): Promise<{ status: number; body: Body; text: string }> {
  const response = await service.post(path, body)
  const text = await response.text()
  return { status: response.status, body: JSON.parse(text), text }
}
async function create(costs: Record<string, unknown>, projectId = project): Promise<string[]> {
  const { body } = await ask('/cost/create', { project_id: projectId, costs })
  return body.ids.map(([id]) => id)
}
async function query(fields: Record<string, unknown> = {}, projectId = project) {
  const { status, body, text } = await ask('/cost/query', { project_id: projectId, ...fields })
  expect(status, text).toBe(200)
  return body.results
}
const models = async (fields: Record<string, unknown>) => (await query(fields)).map(({ llm_id: model }) => model)
const price = (prompt: number, completion = prompt, more = {}) => ({
  prompt_token_cost: prompt,
  completion_token_cost: completion,
  ...more,
})
const own = { $expr: { $not: [{ $contains: { input: { $getField: 'id' }, substr: { $literal: 'catalog:' } } }] } }

describe('POST /cost/create', () => {
  test('records prices with defaults, and returns their fields in wire order', async () => {
    const [id] = await create({ 'gpt-4o': price(0.0000025, 0.00001) })
    const { text, body } = await ask('/cost/query', { project_id: project })
    expect(body.results).toEqual([
      {
        id,
        llm_id: 'gpt-4o',
        prompt_token_cost: 0.0000025,
        completion_token_cost: 0.00001,
        prompt_token_cost_unit: 'USD',
        completion_token_cost_unit: 'USD',
        effective_date: expect.stringMatching(/Z$/),
        provider_id: 'default',
      },
    ])
    expect(Object.keys(body.results[0] ?? {})).toEqual([...costFields])
    expect(text).toContain('"prompt_token_cost":0.0000025,')
    expect(Math.abs(Date.parse(String(body.results[0]?.['effective_date'])) - Date.now())).toBeLessThan(60_000)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  })

  test('stores every field, to the microsecond', async () => {
    await create({
      'é/模型': price(0, 1e-12, {
        prompt_token_cost_unit: 'EUR',
        completion_token_cost_unit: '',
        effective_date: '2024-05-13T02:00:00.000001+02:00',
        provider_id: 'me',
      }),
    })
    expect(await query()).toEqual([
      expect.objectContaining({
        llm_id: 'é/模型',
        prompt_token_cost: 0,
        completion_token_cost: 1e-12,
        prompt_token_cost_unit: 'EUR',
        completion_token_cost_unit: '',
        effective_date: '2024-05-13T00:00:00.000001Z',
        provider_id: 'me',
      }),
    ])
  })

  test('stores the prices of cached tokens, and returns them where they are asked for', async () => {
    await create({ claude: price(3e-6, 15e-6, { cache_read_input_token_cost: 3e-7, cache_creation_input_token_cost: 3.75e-6 }) })
    await create({ plain: price(3e-6) })
    const fields = ['llm_id', 'cache_read_input_token_cost', 'cache_creation_input_token_cost']
    expect(await query({ fields, sort_by: [{ field: 'llm_id', direction: 'asc' }] })).toEqual([
      { llm_id: 'claude', cache_read_input_token_cost: 3e-7, cache_creation_input_token_cost: 3.75e-6 },
      { llm_id: 'plain', cache_read_input_token_cost: null, cache_creation_input_token_cost: null },
    ])
  })

  test('always adds rows, so that the history stays', async () => {
    await create({ m: price(1) })
    await create({ m: price(1) })
    expect(await query()).toHaveLength(2)
  })

  test('null is the same as absent, and unknown fields of SDKs are ignored', async () => {
    const { status } = await ask('/cost/create', {
      project_id: project,
      wb_user_id: 'x',
      later: 1,
      costs: { m: price(1, 1, { provider_id: null, effective_date: null, prompt_token_cost_unit: null, more: true }) },
    })
    expect(status).toBe(200)
    expect((await query())[0]).toMatchObject({ provider_id: 'default', prompt_token_cost_unit: 'USD' })
  })

  test.each([
    ['negative', price(-1, 1), 'body.costs.m.prompt_token_cost', 'greater_than_equal'],
    ['text', price(1, '1' as unknown as number), 'body.costs.m.completion_token_cost', 'float_parsing'],
    ['null', price(1, null as unknown as number), 'body.costs.m.completion_token_cost', 'float_type'],
    ['missing', { prompt_token_cost: 1 }, 'body.costs.m.completion_token_cost', 'missing'],
    ['a date that is none', price(1, 1, { effective_date: '2026-02-30' }), 'body.costs.m.effective_date', 'datetime_parsing'],
    ['too early', price(1, 1, { effective_date: '1899-12-31T23:59:59Z' }), 'body.costs.m.effective_date', 'datetime_parsing'],
    ['a list', [], 'body.costs.m', 'dict_type'],
    ['a unit that is none', price(1, 1, { prompt_token_cost_unit: 5 }), 'body.costs.m.prompt_token_cost_unit', 'string_type'],
  ])('one invalid price (%s) rejects the whole request', async (_, bad, loc, type) => {
    const { status, body } = await ask('/cost/create', { project_id: project, costs: { good: price(1), m: bad } })
    expect([status, body.detail.map((each) => [each.loc.join('.'), each.type])]).toEqual([422, [[loc, type]]])
    expect(await query()).toEqual([])
  })

  test('rejects infinite numbers, empty and too long names, and wrong shapes', async () => {
    const infinite = await ask(
      '/cost/create',
      `{"project_id":"${project}","costs":{"m":{"prompt_token_cost":1e400,"completion_token_cost":-1e400}}}`,
    )
    expect(infinite.body.detail.map(({ type }) => type)).toEqual(['finite_number', 'finite_number'])
    const long = await ask('/cost/create', { project_id: project, costs: { ['x'.repeat(513)]: price(1), '': price(1) } })
    expect(long.body.detail.map(({ type }) => type)).toEqual(['string_too_long', 'string_too_short'])
    expect((await ask('/cost/create', { project_id: project, costs: [] })).status).toBe(422)
    expect((await ask('/cost/create', { project_id: project })).body.detail).toEqual([
      expect.objectContaining({ loc: ['body', 'costs'], type: 'missing' }),
    ])
    const unnameable = await ask(
      '/cost/create',
      `{"project_id":"${project}","costs":{"__proto__":{"prompt_token_cost":1,"completion_token_cost":1}}}`,
    )
    expect(unnameable.body.detail).toEqual([expect.objectContaining({ loc: ['body', 'costs'], type: 'value_error' })])
    expect(await query()).toEqual([])
  })

  test('a request can carry a thousand prices', async () => {
    const costs = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`m${index}`, price(index)]))
    expect(await create(costs)).toHaveLength(1000)
    expect(await query()).toHaveLength(1000)
    expect((await ask('/cost/create', { project_id: project, costs: {} })).body.ids).toEqual([])
  })
})

describe('POST /cost/query', () => {
  const history = {
    a: price(3e-6, 1e-6, { effective_date: '2025-01-01', provider_id: 'p2' }),
    B: price(1e-6, 2e-6, { effective_date: '2026-01-01', provider_id: 'p1' }),
    é: price(2e-6, 2e-6, { effective_date: '2024-01-01', provider_id: 'p1' }),
    z: price(2e-6, 3e-6, { effective_date: '2024-01-01', provider_id: 'p3' }),
  }
  beforeEach(() => create(history))

  test('lists the newest first, then by model', async () => {
    expect(await models({})).toEqual(['B', 'a', 'z', 'é'])
  })

  test.each([...costFields])('sorts by %s, and descending is the reverse of ascending', async (field) => {
    const rising = await query({ sort_by: [{ field, direction: 'asc' }] })
    const falling = await query({ sort_by: [{ field, direction: 'desc' }] })
    const values = rising.map((row) => row[field])
    expect(falling.map((row) => row[field])).toEqual(values.toReversed())
    expect(values).toEqual(
      values.toSorted((left, right) =>
        typeof left === 'number' ? left - Number(right) : compareText(String(left), String(right)),
      ),
    )
  })

  test('rows that are equal by a key are sorted by the next key, then by id', async () => {
    expect(
      await models({
        sort_by: [
          { field: 'effective_date', direction: 'asc' },
          { field: 'completion_token_cost', direction: 'desc' },
        ],
      }),
    ).toEqual(['z', 'é', 'a', 'B'])
    const ids = (await query({ sort_by: [{ field: 'prompt_token_cost_unit', direction: 'desc' }] })).map(({ id }) => String(id))
    expect(ids).toEqual(ids.toSorted())
  })

  test('pages have no gap and no overlap; limit 0 returns nothing, offset works without limit', async () => {
    const all = await models({})
    expect([...(await models({ limit: 3 })), ...(await models({ limit: 3, offset: 3 }))]).toEqual(all)
    expect(await models({ limit: 0 })).toEqual([])
    expect(await models({ offset: 2 })).toEqual(all.slice(2))
    expect(await models({ offset: 9_007_199_254_740_991, limit: 9_007_199_254_740_991 })).toEqual([])
    expect(await models({ limit: null, offset: null, fields: null, sort_by: null, query: null })).toEqual(all)
  })

  test('`fields` selects fields, and they keep the wire order', async () => {
    const [row] = await query({ fields: ['provider_id', 'id', 'provider_id'], limit: 1 })
    expect(Object.keys(row ?? {})).toEqual(['id', 'provider_id'])
    expect(Object.keys((await query({ fields: [], limit: 1 }))[0] ?? {})).toEqual([...costFields])
  })

  test('a user in the body is ignored under both names', async () => {
    expect(await models({ wb_user_id: 'x', platform_user_id: 5, limit: 1 })).toEqual(['B'])
  })

  test.each([
    ['an unknown field', { more: 1 }, 'body.more', 'extra_forbidden'],
    ['a field that is none', { fields: ['id', 'nope'] }, 'body.fields.1', 'literal_error'],
    ['fields that are no list', { fields: 'id' }, 'body.fields', 'list_type'],
    ['a sort field that is none', { sort_by: [{ field: 'string', direction: 'asc' }] }, 'body.sort_by.0.field', 'literal_error'],
    ['a direction that is none', { sort_by: [{ field: 'id', direction: 'up' }] }, 'body.sort_by.0.direction', 'literal_error'],
    ['no direction', { sort_by: [{ field: 'id' }] }, 'body.sort_by.0.direction', 'missing'],
    ['a limit in quotes', { limit: '10' }, 'body.limit', 'int_parsing'],
    ['a negative limit', { limit: -1 }, 'body.limit', 'greater_than_equal'],
    ['a fractional offset', { offset: 1.5 }, 'body.offset', 'int_from_float'],
    ['a query without $expr', { query: {} }, 'body.query.$expr', 'missing'],
    ['something beside $expr', { query: { $expr: { $and: [{ $literal: true }] }, x: 1 } }, 'body.query.x', 'extra_forbidden'],
    ['a bare literal', { query: { $expr: { $literal: true } } }, 'body.query.$expr', 'value_error'],
    [
      'a field that costs do not have',
      { query: { $expr: { $eq: [{ $getField: 'created_by' }, { $literal: 'x' }] } } },
      'body.query.$expr.$eq.0.$getField',
      'value_error',
    ],
    [
      'number against text',
      { query: { $expr: { $gt: [{ $getField: 'prompt_token_cost' }, { $literal: '1' }] } } },
      'body.query.$expr.$gt',
      'value_error',
    ],
    [
      'an unreadable time',
      { query: { $expr: { $gt: [{ $getField: 'effective_date' }, { $literal: 'soon' }] } } },
      'body.query.$expr.$gt',
      'datetime_parsing',
    ],
    ['an empty $and', { query: { $expr: { $and: [] } } }, 'body.query.$expr.$and', 'value_error'],
    ['a project that is none', { project_id: 'a' }, 'body.project_id', 'value_error'],
  ])('rejects %s with the path of the problem', async (_, fields, loc, type) => {
    const { status, body } = await ask('/cost/query', { project_id: project, ...fields })
    expect([status, body.detail.map((each) => [each.loc.join('.'), each.type])]).toEqual([422, [[loc, type]]])
  })

  test('the documented example query returns every row', async () => {
    expect(await models({ query: { $expr: { $and: [{ $literal: 'string' }] } } })).toHaveLength(4)
  })

  test('a query of the maximum depth and size works', async () => {
    let operation: unknown = { $eq: [{ $getField: 'llm_id' }, { $literal: 'a' }] }
    for (let depth = 0; depth < 30; depth += 1) operation = { $not: [operation] }
    expect(await models({ query: { $expr: operation } })).toEqual(['a'])
    expect((await ask('/cost/query', { project_id: project, query: { $expr: { $not: [operation] } } })).status).toBe(422)
    const names = Array.from({ length: 998 }, (_, index) => ({ $literal: `x${index}` }))
    expect(await models({ query: { $expr: { $not: [{ $in: [{ $getField: 'llm_id' }, names.slice(1)] }] } } })).toHaveLength(4)
    let chain: unknown = { $getField: 'llm_id' }
    for (let depth = 0; depth < 30; depth += 1) chain = { $convert: { input: chain, to: 'string' } }
    expect(await models({ query: { $expr: { $eq: [chain, { $literal: 'a' }] } } })).toEqual(['a'])
  })
})

describe('access to costs', () => {
  test('no query returns rows of another project', async () => {
    const [foreign] = await create({ secret: price(7) }, 'b/other')
    const everything = { $expr: { $or: [{ $literal: true }, { $eq: [{ $getField: 'id' }, { $literal: foreign }] }] } }
    expect(await models({ query: everything })).toEqual([])
    expect(await models({ query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: foreign }] } } })).toEqual([])
    await ask('/cost/purge', { project_id: project, query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: foreign }] } } })
    expect(await query({}, 'b/other')).toHaveLength(1)
  })

  test('a user reads and writes only their own projects', async () => {
    for (const path of ['/cost/query', '/cost/create', '/cost/purge']) {
      const body = { project_id: 'acme/other', costs: { m: price(1) }, query: own }
      const { costs, query: condition, ...rest } = body
      const sent =
        path === '/cost/create'
          ? { ...rest, costs }
          : path === '/cost/purge'
            ? { ...rest, query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'x' }] } } }
            : { ...rest, query: condition }
      expect((await service.post(path, sent, reviewer)).status).toBe(403)
      expect((await service.post(path, { ...sent, project_id: 'acme/support' }, reviewer)).status).toBe(200)
    }
  })
})

describe('POST /cost/purge', () => {
  const byId = (id: unknown) => ({ $eq: [{ $getField: 'id' }, { $literal: id }] })
  const purge = (operation: unknown) => ask('/cost/purge', { project_id: project, query: { $expr: operation } })

  test('deletes records by $eq, $in and $or, and ignores unknown ids', async () => {
    const [a, b, c, d] = await create({ a: price(1), b: price(1), c: price(1), d: price(1) })
    expect((await purge(byId(a))).body).toEqual({})
    await purge({ $in: [{ $getField: 'id' }, [{ $literal: b }, { $literal: 'unknown' }]] })
    await purge({ $or: [byId(c), byId('unknown')] })
    expect((await query()).map(({ id }) => id)).toEqual([d])
    expect((await purge(byId(a))).status).toBe(200)
  })

  test.each([
    ['a model', { $eq: [{ $getField: 'llm_id' }, { $literal: 'a' }] }],
    ['everything', { $and: [{ $literal: true }] }],
    ['all but one', { $not: [byId('x')] }],
    ['an id that is no text', { $gt: [{ $getField: 'id' }, { $literal: 'a' }] }],
    ['the catalog', byId('catalog:openai/gpt-4o@undated')],
    ['the catalog among others', { $or: [byId('x'), byId('catalog:x')] }],
  ])('rejects a purge of %s', async (_, operation) => {
    await create({ a: price(1) })
    const { status, body } = await purge(operation)
    expect([status, body.detail[0]?.loc[1]]).toEqual([422, 'query'])
    expect(await query()).toHaveLength(1)
  })

  test('deleted records stay deleted after a restart', async () => {
    const [a] = await create({ a: price(1), b: price(2) })
    await purge(byId(a))
    await service.restart()
    expect(await models({})).toEqual(['b'])
  })
})

test('without sort keys, with null and with an empty list the newest price comes first', async () => {
  await create({ b: price(1, 1, { effective_date: '2026-01-01' }), a: price(1, 1, { effective_date: '2025-01-01' }) })
  await create({ c: price(1, 1, { effective_date: '2026-06-01' }) })
  for (const sort of [{}, { sort_by: null }, { sort_by: [] }]) expect(await models(sort)).toEqual(['c', 'b', 'a'])
})

// Last in this file: from here on every project sees the catalog as well.
describe('the built-in catalog', () => {
  test('every project reads, filters and sorts it with its own rows, and none changes it', async () => {
    const records = await bundledCatalog()
    await syncCatalog(service.store, records, Date.now())
    const [mine] = await create({ 'gpt-4o': price(1) })
    const found = await query({
      query: { $expr: { $eq: [{ $getField: 'llm_id' }, { $literal: 'gpt-4o' }] } },
      sort_by: [{ field: 'id', direction: 'asc' }],
    })
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining([mine, 'catalog:openai/gpt-4o@undated']))
    expect(found.find(({ id }) => id === 'catalog:openai/gpt-4o@undated')).toMatchObject({
      prompt_token_cost: 0.0000025,
      completion_token_cost: 0.00001,
      provider_id: 'openai',
      effective_date: '1970-01-01T00:00:00Z',
    })
    expect(await query()).toHaveLength(records.length + 1)
    expect(await query({ query: own })).toHaveLength(1)
  })

  test('rows without a price come last in both directions', async () => {
    const [unpriced] = await query({
      query: { $expr: { $eq: [{ $getField: 'completion_token_cost' }, { $literal: null }] } },
      limit: 1,
    })
    expect(unpriced).toMatchObject({ completion_token_cost: null })
    for (const direction of ['asc', 'desc']) {
      const values = (
        await query({ fields: ['completion_token_cost'], sort_by: [{ field: 'completion_token_cost', direction }] })
      ).map((row) => row['completion_token_cost'])
      expect(values.slice(values.indexOf(null)).every((value) => value === null)).toBe(true)
    }
  })
})

test('a list of prices that does not fit into memory is refused, and can be read in pages', async () => {
  const row = { ...price(1), project_id: project, effective_date: '2026-01-01 00:00:00', created_at: '2026-01-01 00:00:00' }
  const rows = Array.from({ length: 60 }, (_, index) => ({
    ...row,
    id: `large-${index}`,
    llm_id: 'x'.repeat(1024 * 1024),
    version: 1,
  }))
  await service.store.insert('costs', rows)
  const { status, body } = await ask('/cost/query', { project_id: project, query: own })
  expect([status, body.detail[0]?.type]).toEqual([422, 'answer_too_large'])
  expect(await query({ query: own, limit: 2 })).toHaveLength(2)
})
