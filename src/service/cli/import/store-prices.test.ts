import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { catalogIdPrefix } from '../../../contract/cost-fields'
import { type Cost, queryCosts } from '../../../contract/costs'
import { selectMissing } from './store-prices'
import { openTestImport, type TestImport } from './testing/test-import'

let spool: TestImport
beforeAll(async () => {
  spool = await openTestImport()
})
afterEach(() => spool.intercept(undefined))
afterAll(() => spool.close())

let fileCount = 0
function write(content: string, extension = 'csv'): string {
  return spool.writeFile(content, `prices-${(fileCount += 1)}.${extension}`)
}

/** The project's own records, oldest first. */
async function readCosts(projectId: string) {
  const response = await spool.app.post('/cost/query', { project_id: projectId, sort_by: [{ field: 'id', direction: 'asc' }] })
  return queryCosts.response.parse(await response.json()).results.filter(({ id }) => !id?.startsWith(catalogIdPrefix))
}

const header = 'llm_id,prompt_cost_per_million,completion_cost_per_million,provider_id,effective_date\n'

test('prices are stored with every digit, and a second import of the file stores nothing', async () => {
  const file = write(
    `${header}gpt-4o,2.5,10,openai,2026-01-31\r\ngpt-4o,3,12,openai,2026-06-01T00:00:00+02:00\nmini,0.15,0.6,,\n`,
  )
  const first = await spool.run([file, '--project', 'acme/table'])
  expect(first).toEqual({ code: 0, stdout: `${file}: 3 prices stored in acme/table.\n`, stderr: '' })
  const stored = await readCosts('acme/table')
  expect(
    stored.map(({ llm_id, provider_id, prompt_token_cost, completion_token_cost }) => [
      llm_id,
      provider_id,
      prompt_token_cost,
      completion_token_cost,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['gpt-4o', 'openai', 0.0000025, 0.00001],
      ['gpt-4o', 'openai', 0.000003, 0.000012],
      ['mini', 'default', 1.5e-7, 6e-7],
    ]),
  )
  expect(stored.map(({ effective_date }) => effective_date)).toEqual(
    expect.arrayContaining(['2026-01-31T00:00:00Z', '2026-05-31T22:00:00Z']),
  )
  const second = await spool.run([file, '--project', 'acme/table'])
  expect(second.stdout).toBe(`${file}: 0 prices stored in acme/table, 3 already stored.\n`)
  expect(await readCosts('acme/table')).toEqual(stored)
})

test('only a price that has changed is stored, as a new record', async () => {
  await spool.run([write(`${header}a,1,1,,\nb,1,1,,\n`), '--project', 'acme/changed'])
  const { stdout } = await spool.run([write(`${header}a,2,1,,\nb,1,1,,\n`), '--project', 'acme/changed'])
  expect(stdout).toContain('1 price stored in acme/changed, 1 already stored')
  expect((await readCosts('acme/changed')).map(({ llm_id, prompt_token_cost }) => [llm_id, prompt_token_cost])).toEqual([
    ['a', 1e-6],
    ['b', 1e-6],
    ['a', 2e-6],
  ])
})

test('no price of a file is stored when one of its rows is wrong', async () => {
  const file = write(`${header}a,1,1,,\nb,-1,1,,\nc,1,1,,2026-13-01\n`)
  const { code, stdout, stderr } = await spool.run([file, '--project', 'acme/wrong'])
  expect(code).toBe(2)
  expect(stdout).toMatch(/: nothing stored\.\n {2}2 lines refused\.\n$/)
  expect(stderr).toMatch(/:3: prompt_token_cost: Must be 0 or greater[^\n]*\n\S+:4: effective_date: There is no such time/)
  expect(await readCosts('acme/wrong')).toEqual([])
})

test('LiteLLM’s prices per token are stored, and models with other prices are counted', async () => {
  const file = write(
    JSON.stringify({
      sample_spec: { input_cost_per_token: 0 },
      'gpt-4o': { input_cost_per_token: 2.5e-6, output_cost_per_token: 0.00001, litellm_provider: 'openai', mode: 'chat' },
      'azure/gpt-4o': { input_cost_per_token: 2.75e-6, output_cost_per_token: 0.000011, litellm_provider: 'azure', mode: 'chat' },
      'dall-e-3': { input_cost_per_image: 0.04, litellm_provider: 'openai', mode: 'image_generation' },
    }),
    'json',
  )
  const { code, stdout } = await spool.run([file, '--project', 'acme/litellm'])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `${file}: 2 prices stored in acme/litellm.\n  Skipped: models without prices per token (1).\n`,
  })
  expect((await readCosts('acme/litellm')).map(({ llm_id, provider_id }) => [llm_id, provider_id])).toEqual(
    expect.arrayContaining([
      ['gpt-4o', 'openai'],
      ['azure/gpt-4o', 'azure'],
    ]),
  )
  expect((await spool.run([file, '--project', 'acme/litellm'])).stdout).toContain(
    '0 prices stored in acme/litellm, 2 already stored',
  )
})

test('after a lost response the stored prices are read again, so that no price is stored twice', async () => {
  // Two prices of each model need two requests. The service executes the first one, but its response is lost.
  const rows = Array.from({ length: 50 }, (_, n) => `m${n},1,1,,2026-01-01\nm${n},2,2,,2026-02-01\n`).join('')
  const file = write(`${header}${rows}`)
  let lostCount = 0
  spool.intercept((request, response) => {
    if (request.url !== '/cost/create' || lostCount > 0) return false
    lostCount += 1
    response.end = () => response.destroy()
    response.write = () => true
    return false
  })
  const before = spool.requests.length
  const { code, stdout } = await spool.run([file, '--project', 'acme/lost'])
  expect({ code, lostCount }).toEqual({ code: 0, lostCount: 1 })
  expect(stdout).toContain('100 prices stored in acme/lost.')
  expect(await readCosts('acme/lost')).toHaveLength(100)
  expect(spool.requests.slice(before)).toEqual(['/cost/query', '/cost/create', '/cost/query', '/cost/create'])
})

test('several prices of one model are sent in several requests', async () => {
  const rows = Array.from({ length: 4 }, (_, n) => `m,${n + 1},1,,2026-01-0${n + 1}\n`).join('')
  const file = write(`${header}${rows}${Array.from({ length: 1200 }, (_, n) => `x${n},1,1,,\n`).join('')}`)
  const before = spool.requests.length
  expect((await spool.run([file, '--project', 'acme/many'])).stdout).toContain('1,204 prices stored')
  expect(spool.requests.slice(before).filter((path) => path === '/cost/create')).toHaveLength(4)
  expect(await readCosts('acme/many')).toHaveLength(1204)
  expect((await spool.run([file, '--project', 'acme/many'])).stdout).toContain('1,204 already stored')
})

const dayInForce = '2026-01-01T00:00:00Z'
const laterDay = '2026-12-01T00:00:00Z'

test.each<[string, { stored: Partial<Cost>[]; change?: object; isMissing: boolean }]>([
  ['no stored price', { stored: [], isMissing: true }],
  ['the same price in force', { stored: [{ effective_date: dayInForce }], isMissing: false }],
  ['another price in force', { stored: [{ effective_date: dayInForce, prompt_token_cost: 9 }], isMissing: true }],
  ['the same price of another provider', { stored: [{ effective_date: dayInForce, provider_id: 'other' }], isMissing: true }],
  [
    'the same price in another currency',
    { stored: [{ effective_date: dayInForce, prompt_token_cost_unit: 'EUR' }], isMissing: true },
  ],
  ['the same price from a later day', { stored: [{ effective_date: laterDay }], isMissing: true }],
  [
    'the same price before the price in force',
    {
      stored: [{ effective_date: dayInForce }, { effective_date: '2026-02-01T00:00:00Z', completion_token_cost: 9 }],
      isMissing: true,
    },
  ],
  [
    'the same price of the same day',
    { stored: [{ effective_date: laterDay }], change: { effective_date: laterDay }, isMissing: false },
  ],
  [
    'another price of the same day',
    {
      stored: [{ effective_date: laterDay, prompt_token_cost: 9 }],
      change: { effective_date: laterDay },
      isMissing: true,
    },
  ],
  [
    'the same price of another day',
    { stored: [{ effective_date: dayInForce }], change: { effective_date: '2026-01-02T00:00:00Z' }, isMissing: true },
  ],
])('with %s: %j', (_, { stored, change, isMissing }) => {
  const values = { prompt_token_cost: 1, completion_token_cost: 2 }
  const units = { prompt_token_cost_unit: 'USD', completion_token_cost_unit: 'USD' }
  const costs = stored.map((record) => ({ llm_id: 'm', provider_id: 'default', ...values, ...units, ...record }))
  const prices = [{ llmId: 'm', cost: { ...values, ...change } }]
  expect(selectMissing(prices, { costs, serverTimeMs: Date.UTC(2026, 5, 1) })).toEqual(isMissing ? prices : [])
})
