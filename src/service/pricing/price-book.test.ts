import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledCatalog, syncCatalog } from './sync-catalog'
import { newCostRow } from './stored-cost'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { PriceBook } from './price-book'

let place: Awaited<ReturnType<typeof openTemporaryStore>>

beforeAll(async () => {
  place = await openTemporaryStore()
  await syncCatalog(place.store, await bundledCatalog(), 0)
})
afterAll(() => place.remove())

async function priceIn(projectId: string, model: string) {
  const book = new PriceBook(place.store, projectId)
  await book.learn([model], {})
  return book.priceOf(model, '2026-01-01 00:00:00.000000', undefined)
}

const ownPrice = (llmId: string) =>
  newCostRow(
    {
      project_id: 'priced/own',
      id: `own-${llmId}`,
      llm_id: llmId,
      provider_id: 'default',
      prompt_token_cost: 1,
      completion_token_cost: 2,
      prompt_token_cost_unit: 'USD',
      completion_token_cost_unit: 'USD',
      effectiveDate: '2025-01-01T00:00:00Z',
      created_by: '',
    },
    0,
  )

test('a version of a model that no record names has the price of the model', async () => {
  const model = await priceIn('priced/p', 'gpt-4o')
  expect(model).toMatchObject({ llm_id: 'gpt-4o', provider_id: 'openai' })
  expect(await priceIn('priced/p', 'gpt-4o-2024-08-06')).toEqual(model)
  expect(await priceIn('priced/p', 'claude-sonnet-4-5-20250929')).toMatchObject({ llm_id: 'claude-sonnet-4-5' })
})

test('what the catalog does not know by any name has no price', async () => {
  for (const name of ['no-such-model', 'my-gpt-4o', 'usage', '', 'x'.repeat(100_000)]) {
    expect(await priceIn('priced/p', name), name.slice(0, 20)).toBeUndefined()
  }
})

test('a project’s own price of a model holds for its versions, and one of that very version before it', async () => {
  await place.store.insert('costs', [ownPrice('gpt-4o')])
  expect(await priceIn('priced/own', 'gpt-4o-2024-08-06')).toMatchObject({ id: 'own-gpt-4o' })
  await place.store.insert('costs', [ownPrice('gpt-4o-2024-08-06')])
  expect(await priceIn('priced/own', 'gpt-4o-2024-08-06')).toMatchObject({ id: 'own-gpt-4o-2024-08-06' })
  expect(await priceIn('priced/p', 'gpt-4o-2024-08-06')).toMatchObject({ project_id: '' })
})
