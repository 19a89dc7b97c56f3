// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { ReceivedCost } from '../../../contract/received-costs'
import { click, findButton, render, stubService, waitFor } from '../../../testing/render'
import { RemovePrice } from './RemovePrice'

afterEach(() => {
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

const own: ReceivedCost = {
  id: 'own',
  llm_id: 'gpt-4o',
  provider_id: 'openai',
  prompt_token_cost: 1.5e-7,
  completion_token_cost: 6e-7,
  prompt_token_cost_unit: 'USD',
  completion_token_cost_unit: 'USD',
  effective_date: '2026-01-01T00:00:00Z',
  cache_read_input_token_cost: 7.5e-8,
  cache_creation_input_token_cost: null,
}
const ofCatalog = { ...own, id: 'catalog:openai/gpt-4o@undated', prompt_token_cost: 0.0000025, completion_token_cost: 0.00001 }

async function renderRemoval(cost: ReceivedCost, routes: Parameters<typeof stubService>[0] = {}) {
  const requests = stubService({
    '/cost/query': () => Response.json({ results: [own, ofCatalog] }),
    '/cost/purge': () => Response.json({}),
    '/cost/create': () => Response.json({ ids: [['again', 'gpt-4o']] }),
    ...routes,
  })
  const onClose = vi.fn<() => void>()
  const { host } = await render(<RemovePrice cost={cost} onClose={onClose} />)
  return { host, onClose, bodies: (path: string) => requests.filter((each) => each.path === path).map(({ body }) => body) }
}

test('a price is removed after it said which one then holds, and comes back with the same values', async () => {
  const { host, bodies } = await renderRemoval(own)
  await waitFor(() =>
    expect(host.textContent).toContain('priced by the catalog’s price at openai: 2.5 prompt, 10 completion (USD per 1M)'),
  )
  expect(host.textContent).toContain('gpt-4o at openai: 0.15 prompt, 0.6 completion (USD per 1M), since 2026-01-01.')
  await click(findButton(host, 'Remove this price'))
  await waitFor(() => expect(host.textContent).toContain('The price is removed.'))
  expect(bodies('/cost/purge')).toMatchObject([{ query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'own' }] } } }])
  await click(findButton(host, 'Undo'))
  await waitFor(() => expect(host.textContent).toContain('The price is recorded again'))
  const { id: _, llm_id: __, cache_creation_input_token_cost: ___, ...values } = own
  expect(bodies('/cost/create')).toMatchObject([{ costs: { 'gpt-4o': values } }])
})

test('a removal that failed says so and can be tried again', async () => {
  const replies = [() => Response.json({ detail: 'Busy.' }, { status: 429 }), () => Response.json({})]
  const { host, bodies } = await renderRemoval(own, { '/cost/purge': () => replies.shift()!() })
  await click(findButton(host, 'Remove this price'))
  await waitFor(() => expect(host.textContent).toContain('The price was not removed'))
  expect(host.textContent).toContain('Busy.')
  await click(findButton(host, 'Remove this price'))
  await waitFor(() => expect(host.textContent).toContain('The price is removed.'))
  expect(bodies('/cost/purge')).toHaveLength(2)
})

test('nothing is sent for a price that is kept, and a record of the catalog cannot be removed', async () => {
  const kept = await renderRemoval(own)
  await click(findButton(kept.host, 'Keep it'))
  expect([kept.onClose.mock.calls.length, kept.bodies('/cost/purge')]).toEqual([1, []])
  const { host } = await renderRemoval(ofCatalog)
  expect(host.textContent).toBe('This record belongs to the built-in catalog, which nobody can change.')
  expect(findButton(host, 'Remove this price')).toBeUndefined()
})
