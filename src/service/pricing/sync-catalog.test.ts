import type { Provider } from '@pydantic/genai-prices'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { toCatalogRecords } from './catalog-records'
import { bundledCatalog, syncCatalog } from './sync-catalog'
import { sql } from '../store/sql'

const match = { equals: 'm' }
const provider = (models: Provider['models']): Provider => ({ id: 'p', name: 'P', api_pattern: '', models })

describe('catalog records', () => {
  test('have exact prices per token', () => {
    const [record] = toCatalogRecords([
      provider([{ id: 'm', match, prices: { input_mtok: 2.5, output_mtok: 0.135, cache_read_mtok: 1 } }]),
    ])
    expect(record).toEqual({
      id: 'catalog:p/m@undated',
      llm_id: 'm',
      provider_id: 'p',
      prompt_token_cost: 0.0000025,
      completion_token_cost: 1.35e-7,
      cache_read_input_token_cost: 0.000001,
      cache_creation_input_token_cost: null,
      effectiveDate: '1970-01-01T00:00:00Z',
    })
  })

  test.each([
    [0.1, '1e-7'],
    [0.3, '3e-7'],
    [0.07, '7e-8'],
    [1.1, '0.0000011'],
    [2.85, '0.00000285'],
    [1234.5, '0.0012345'],
    [1e-7, '1e-13'],
    [0.18000000000000002, '1.8e-7'],
    [0.30000000000000004, '3e-7'],
  ])('%d per million tokens is %s per token', (price, text) => {
    const [record] = toCatalogRecords([provider([{ id: 'm', match, prices: { output_mtok: price } }])])
    expect(String(record?.completion_token_cost)).toBe(text)
  })

  test('distinguish 0 from an unknown price', () => {
    const records = toCatalogRecords([provider([{ id: 'm', match, prices: { input_mtok: 0 } }])])
    expect(records).toEqual([expect.objectContaining({ prompt_token_cost: 0, completion_token_cost: null })])
  })

  test('do not include models that are not priced by tokens', () => {
    expect(
      toCatalogRecords([
        provider([
          { id: 'm', match, prices: { requests_kcount: 5 } },
          { id: 'n', match, prices: {} },
        ]),
      ]),
    ).toEqual([])
  })

  test('exist for each start date, not for hours of the day, and have the first step of a tiered price', () => {
    const records = toCatalogRecords([
      provider([
        {
          id: 'm',
          match,
          prices: [
            { prices: { input_mtok: 1 } },
            {
              constraint: { type: 'start_date', start_date: '2026-03-01' },
              prices: { input_mtok: { base: 2, tiers: [{ start: 200_000, price: 4 }] } },
            },
            { constraint: { type: 'time_of_date', start_time: '00:00:00Z', end_time: '08:00:00Z' }, prices: { input_mtok: 3 } },
          ],
        },
      ]),
    ])
    expect(records.map(({ id, prompt_token_cost: prompt, effectiveDate }) => [id, prompt, effectiveDate])).toEqual([
      ['catalog:p/m@undated', 0.000001, '1970-01-01T00:00:00Z'],
      ['catalog:p/m@2026-03-01', 0.000002, '2026-03-01T00:00:00Z'],
    ])
  })

  test('of the bundled list have unique ids and valid prices', async () => {
    const records = await bundledCatalog()
    expect(records.length).toBeGreaterThan(1000)
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length)
    const isPrice = (price: number | null) => price === null || (Number.isFinite(price) && price >= 0)
    expect(records.filter((record) => !isPrice(record.prompt_token_cost) || !isPrice(record.completion_token_cost))).toEqual([])
    const digitsOf = (price: number | null) => (price ?? 0).toExponential().replace(/e.*|[.]/g, '').length
    const isNoisy = (price: number | null) => digitsOf(price) > 8
    expect(records.filter((record) => isNoisy(record.prompt_token_cost) || isNoisy(record.completion_token_cost))).toEqual([])
  })
})

describe('the stored catalog', () => {
  let place: Awaited<ReturnType<typeof openTemporaryStore>>
  beforeAll(async () => {
    place = await openTemporaryStore()
  })
  afterAll(() => place.remove())

  const sync = (records: ReturnType<typeof toCatalogRecords>) => syncCatalog(place.store, records, Date.now())
  const stored = () =>
    place.store.query(
      sql`SELECT id, prompt_token_cost AS price FROM costs FINAL WHERE project_id = '' AND is_deleted = 0 ORDER BY id`,
      z.object({ id: z.string(), price: z.number().nullable() }),
    )
  const list = (prices: Record<string, number>) =>
    toCatalogRecords([provider(Object.entries(prices).map(([id, price]) => ({ id, match, prices: { input_mtok: price } })))])

  test('is written once, and then only its differences', async () => {
    expect(await sync(list({ a: 1, b: 2, c: 3 }))).toEqual({ isFirst: true, writtenCount: 3, deletedCount: 0 })
    expect(await sync(list({ a: 1, b: 2, c: 3 }))).toEqual({ isFirst: false, writtenCount: 0, deletedCount: 0 })
    expect(await sync(list({ a: 1, b: 5, d: 4 }))).toEqual({ isFirst: false, writtenCount: 2, deletedCount: 1 })
    expect(await stored()).toEqual([
      { id: 'catalog:p/a@undated', price: 0.000001 },
      { id: 'catalog:p/b@undated', price: 0.000005 },
      { id: 'catalog:p/d@undated', price: 0.000004 },
    ])
  })

  test('has the prices of the last start, however often the clock is set back between starts', async () => {
    const before = (await stored()).length
    for (const [hours, price] of [1, 2, 3, 4].entries()) {
      await syncCatalog(place.store, list({ a: price, ...(price % 2 === 0 ? { b: price } : {}) }), Date.now() - hours * 3_600_000)
      const ids = price % 2 === 0 ? ['a', 'b'] : ['a']
      expect(await stored()).toEqual(ids.map((id) => ({ id: `catalog:p/${id}@undated`, price: price / 1e6 })))
    }
    await sync(list({ a: 1, b: 5, d: 4 }))
    expect(await stored()).toHaveLength(before)
  })

  test('restores a deleted record that is listed again, also after a restart', async () => {
    await place.reopen()
    expect(await sync(list({ a: 1, b: 5, c: 3, d: 4 }))).toEqual({ isFirst: false, writtenCount: 1, deletedCount: 0 })
    expect(await stored()).toHaveLength(4)
    expect(await sync(list({ a: 1, b: 5, c: 3, d: 4 }))).toEqual({ isFirst: false, writtenCount: 0, deletedCount: 0 })
  })
})
