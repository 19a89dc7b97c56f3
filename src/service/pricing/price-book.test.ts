import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from '../store/store'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { PriceBook } from './price-book'
import { toStoredCost } from './stored-cost'
import { bundledCatalog, syncCatalog } from './sync-catalog'

let place: Awaited<ReturnType<typeof openTemporaryStore>>

beforeAll(async () => {
  place = await openTemporaryStore()
  await syncCatalog(place.store, await bundledCatalog(), 0)
})
afterAll(() => place.remove())

async function findPrice(projectId: string, model: string, provider?: string) {
  const book = new PriceBook(place.store, projectId)
  await book.load([model], {})
  return book.findPrice(model, '2026-01-01T00:00:00Z', provider)?.record
}

const priceOfProject = (llmId: string, providerId = 'default') =>
  toStoredCost(
    {
      project_id: 'priced/own',
      id: `own-${llmId}-${providerId}`,
      llm_id: llmId,
      provider_id: providerId,
      prompt_token_cost: 1,
      completion_token_cost: 2,
      prompt_token_cost_unit: 'USD',
      completion_token_cost_unit: 'USD',
      effectiveDate: '2025-01-01T00:00:00Z',
      created_by: '',
    },
    0,
  )

test('finds the catalog’s price of a model', async () => {
  expect(await findPrice('priced/p', 'gpt-4o')).toMatchObject({ llm_id: 'gpt-4o', provider_id: 'openai', project_id: '' })
})

test('a version of a model without a record has the price of the model', async () => {
  expect(await findPrice('priced/p', 'gpt-4o-2024-08-06')).toEqual(await findPrice('priced/p', 'gpt-4o'))
  expect(await findPrice('priced/p', 'claude-sonnet-4-5-20250929')).toMatchObject({ llm_id: 'claude-sonnet-4-5' })
})

test('a provider that the catalog lists without prices for the model is not priced as another one', async () => {
  expect(await findPrice('priced/p', 'gpt-4.1', 'github-copilot')).toBeUndefined()
  expect(await findPrice('priced/p', 'gpt-4.1', 'a-gateway-of-ours')).toMatchObject({ provider_id: 'openai' })
})

test('a model that the catalog does not know has no price', async () => {
  for (const name of ['no-such-model', 'my-gpt-4o', 'usage', '', 'x'.repeat(100_000)]) {
    expect(await findPrice('priced/p', name), name.slice(0, 20)).toBeUndefined()
  }
})

test('a project’s own price of a model applies to its versions, unless the version has its own', async () => {
  await place.store.insert('costs', [priceOfProject('gpt-4o')])
  expect(await findPrice('priced/own', 'gpt-4o-2024-08-06')).toMatchObject({ id: 'own-gpt-4o-default' })
  await place.store.insert('costs', [priceOfProject('gpt-4o-2024-08-06')])
  expect(await findPrice('priced/own', 'gpt-4o-2024-08-06')).toMatchObject({ id: 'own-gpt-4o-2024-08-06-default' })
  expect(await findPrice('priced/p', 'gpt-4o-2024-08-06')).toMatchObject({ project_id: '' })
})

test.each([
  ['azure', 'azure'],
  ['azure.ai.openai', 'azure'],
  ['aws.bedrock', 'openai'],
  ['constructor', 'openai'],
  ['', 'openai'],
])('a call that names the provider %j is priced by that of %s', async (named, expected) => {
  await place.store.insert('costs', [priceOfProject('m', 'azure'), priceOfProject('m', 'openai')])
  expect(await findPrice('priced/own', 'm', named)).toMatchObject({ provider_id: expected })
})

test('the store is asked once for a model of a project, until a price is written', async () => {
  let count = 0
  const store: Store = {
    ...place.store,
    query: async (...query) => {
      count += 1
      return await place.store.query(...query)
    },
  }
  const find = async (projectId: string) => {
    const book = new PriceBook(store, projectId)
    await book.load(['m-cached'], {})
    return book.findPrice('m-cached', '2026-01-01T00:00:00Z', undefined)?.record.id
  }
  expect([await find('priced/own'), await find('priced/own'), count]).toEqual([undefined, undefined, 1])
  await store.insert('costs', [priceOfProject('m-cached')])
  expect([await find('priced/own'), await find('priced/own'), count]).toEqual(['own-m-cached-default', 'own-m-cached-default', 2])
  expect([await find('priced/p'), count], 'another project').toEqual([undefined, 3])
})
