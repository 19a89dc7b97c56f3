import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { catalogIdPrefix } from '../../../contract/cost-fields'
import { type Cost, queryCosts } from '../../../contract/costs'
import { missingOf } from './price-import'
import { type ImportTestPlace, openImportPlace } from './testing/import-place'

let place: ImportTestPlace
beforeAll(async () => {
  place = await openImportPlace()
})
afterEach(() => place.meddle(undefined))
afterAll(() => place.close())

let files = 0
function write(content: string): string {
  const name = `prices-${(files += 1)}`
  writeFileSync(join(place.folder, name), content)
  return name
}

/** The project's own records, oldest first, without what differs from run to run. */
async function costs(projectId: string) {
  const answer = await place.app.post('/cost/query', { project_id: projectId, sort_by: [{ field: 'id', direction: 'asc' }] })
  return queryCosts.response.parse(await answer.json()).results.filter(({ id }) => !id?.startsWith(catalogIdPrefix))
}

const header = 'llm_id,prompt_cost_per_million,completion_cost_per_million,provider_id,effective_date\n'

test('prices of a table arrive digit by digit, and a second time nothing is added', async () => {
  const file = write(
    `${header}gpt-4o,2.5,10,openai,2026-01-31\r\ngpt-4o,3,12,openai,2026-06-01T00:00:00+02:00\nmini,0.15,0.6,,\n`,
  )
  const first = await place.run([file, '--project', 'acme/table'])
  expect(first).toEqual({ code: 0, stdout: `${file}: 3 prices stored in acme/table.\n`, stderr: '' })
  const stored = await costs('acme/table')
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
  const second = await place.run([file, '--project', 'acme/table'])
  expect(second.stdout).toBe(`${file}: 0 prices stored in acme/table, 3 there already.\n`)
  expect(await costs('acme/table')).toEqual(stored)
})

test('a price that has changed is added to those before, and only that', async () => {
  await place.run([write(`${header}a,1,1,,\nb,1,1,,\n`), '--project', 'acme/changed'])
  const { stdout } = await place.run([write(`${header}a,2,1,,\nb,1,1,,\n`), '--project', 'acme/changed'])
  expect(stdout).toContain('1 price stored in acme/changed, 1 there already')
  expect((await costs('acme/changed')).map(({ llm_id, prompt_token_cost }) => [llm_id, prompt_token_cost])).toEqual([
    ['a', 1e-6],
    ['b', 1e-6],
    ['a', 2e-6],
  ])
})

test('nothing of a file is sent when any of it is wrong', async () => {
  const file = write(`${header}a,1,1,,\nb,-1,1,,\nc,1,1,,2026-13-01\n`)
  const { code, stdout, stderr } = await place.run([file, '--project', 'acme/wrong'])
  expect(code).toBe(2)
  expect(stdout).toMatch(/: nothing stored; 2 lines refused: \S+\.problems\.jsonl\n$/)
  expect(stderr).toMatch(/:3: prompt_token_cost: Must be 0 or greater[^\n]*\n\S+:4: effective_date: There is no such time/)
  expect(await costs('acme/wrong')).toEqual([])
})

test('LiteLLM’s list goes in, and what is not sold by the token is counted', async () => {
  const file = write(
    JSON.stringify({
      sample_spec: { input_cost_per_token: 0 },
      'gpt-4o': { input_cost_per_token: 2.5e-6, output_cost_per_token: 0.00001, litellm_provider: 'openai', mode: 'chat' },
      'azure/gpt-4o': { input_cost_per_token: 2.75e-6, output_cost_per_token: 0.000011, litellm_provider: 'azure', mode: 'chat' },
      'dall-e-3': { input_cost_per_image: 0.04, litellm_provider: 'openai', mode: 'image_generation' },
    }),
  )
  const { code, stdout } = await place.run([file, '--project', 'acme/litellm'])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `${file}: 2 prices stored in acme/litellm.\n  left out: models without prices per token (1)\n`,
  })
  expect((await costs('acme/litellm')).map(({ llm_id, provider_id }) => [llm_id, provider_id])).toEqual(
    expect.arrayContaining([
      ['gpt-4o', 'openai'],
      ['azure/gpt-4o', 'azure'],
    ]),
  )
  expect((await place.run([file, '--project', 'acme/litellm', '--fresh'])).stdout).toContain(
    '0 prices stored in acme/litellm, 2 there already',
  )
})

test('what may or may not have arrived is looked up before it is sent again', async () => {
  // Two prices of each model, so that there are two requests. The first is carried out, but its answer is lost.
  const rows = Array.from({ length: 50 }, (_, n) => `m${n},1,1,,2026-01-01\nm${n},2,2,,2026-02-01\n`).join('')
  const file = write(`${header}${rows}`)
  let lost = 0
  place.meddle((request, response) => {
    if (request.url !== '/cost/create' || lost > 0) return false
    lost += 1
    response.end = () => response.destroy()
    response.write = () => true
    return false
  })
  const before = place.requests.length
  const { code, stdout } = await place.run([file, '--project', 'acme/lost'])
  expect({ code, lost }).toEqual({ code: 0, lost: 1 })
  expect(stdout).toContain('100 prices stored in acme/lost.')
  expect(await costs('acme/lost')).toHaveLength(100)
  expect(place.requests.slice(before)).toEqual(['/cost/query', '/cost/create', '/cost/query', '/cost/create'])
})

test('stopped while the service is busy, it says that the same command goes on', async () => {
  const stop = new AbortController()
  place.meddle((request, response) => {
    request.resume()
    response.statusCode = 429
    response.setHeader('retry-after', '60')
    response.end()
    stop.abort()
    return true
  })
  const { code, stderr } = await place.run([write(`${header}a,1,1,,\n`), '--project', 'acme/busy'], { stopping: stop.signal })
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'Stopped. Give the same command again: what is stored already is not added twice.\n',
  })
})

test('more prices of one model than a request can name go one after another', async () => {
  const rows = Array.from({ length: 4 }, (_, n) => `m,${n + 1},1,,2026-01-0${n + 1}\n`).join('')
  const file = write(`${header}${rows}${Array.from({ length: 1200 }, (_, n) => `x${n},1,1,,\n`).join('')}`)
  const before = place.requests.length
  expect((await place.run([file, '--project', 'acme/many'])).stdout).toContain('1,204 prices stored')
  expect(place.requests.slice(before).filter((path) => path === '/cost/create')).toHaveLength(4)
  expect(await costs('acme/many')).toHaveLength(1204)
  expect((await place.run([file, '--project', 'acme/many'])).stdout).toContain('1,204 there already')
})

test('neither checkpoint nor lock of a price file is left behind', async () => {
  await place.run([write(`${header}a,1,1,,\n`), '--project', 'acme/clean'])
  const left = readdirSync(join(place.environment.SPOOL_DATA, 'imports')).filter((name) => !name.endsWith('.problems.jsonl'))
  expect(left).toEqual([])
})

test.each<[string, Partial<Cost>[], object, boolean]>([
  ['nothing there', [], {}, true],
  ['the same price in force', [{ effective_date: '2026-01-01T00:00:00Z' }], {}, false],
  ['another price in force', [{ effective_date: '2026-01-01T00:00:00Z', prompt_token_cost: 9 }], {}, true],
  ['the same price in force of another provider', [{ effective_date: '2026-01-01T00:00:00Z', provider_id: 'other' }], {}, true],
  ['the same price in another currency', [{ effective_date: '2026-01-01T00:00:00Z', prompt_token_cost_unit: 'EUR' }], {}, true],
  ['the same price scheduled for later', [{ effective_date: '2026-12-01T00:00:00Z' }], {}, true],
  [
    'the same price before the one in force',
    [{ effective_date: '2026-01-01T00:00:00Z' }, { effective_date: '2026-02-01T00:00:00Z', completion_token_cost: 9 }],
    {},
    true,
  ],
  ['the price of that day', [{ effective_date: '2026-12-01T00:00:00Z' }], { effective_date: '2026-12-01T00:00:00Z' }, false],
  [
    'another price of that day',
    [{ effective_date: '2026-12-01T00:00:00Z', prompt_token_cost: 9 }],
    { effective_date: '2026-12-01T00:00:00Z' },
    true,
  ],
  [
    'the same price of another day',
    [{ effective_date: '2026-01-01T00:00:00Z' }],
    { effective_date: '2026-01-02T00:00:00Z' },
    true,
  ],
])('with %s a price is missing: %#', (_, records, change, isMissing) => {
  const values = { prompt_token_cost: 1, completion_token_cost: 2 }
  const there = records.map((record) => ({
    llm_id: 'm',
    provider_id: 'default',
    ...values,
    prompt_token_cost_unit: 'USD',
    completion_token_cost_unit: 'USD',
    ...record,
  }))
  const prices = [{ line: 2, llmId: 'm', cost: { ...values, ...change } }]
  expect(missingOf(prices, { costs: there, now: Date.UTC(2026, 5, 1) })).toEqual(isMissing ? prices : [])
})
