import { toStoredCost } from '../../pricing/stored-cost'
import type { Store } from '../../store/store'

/** Catalog prices of the models m (USD), n (EUR) and half, whose prompt price is unknown. */
export async function insertTestPrices(store: Store): Promise<void> {
  const price = (llm_id: string, promptCost: number | null, unit: string) =>
    toStoredCost(
      {
        project_id: '',
        id: `-${llm_id}`,
        llm_id,
        provider_id: 'p',
        prompt_token_cost: promptCost,
        completion_token_cost: 0.00001,
        prompt_token_cost_unit: unit,
        completion_token_cost_unit: unit,
        effectiveDate: '2020-01-01T00:00:00Z',
        created_by: '',
      },
      0,
    )
  await store.insert('costs', [price('m', 0.0000025, 'USD'), price('n', 0.1, 'EUR'), price('half', null, 'USD')])
}
