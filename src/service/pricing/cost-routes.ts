import { CreateCosts, PurgeCosts, QueryCosts } from '../../contract/cost-requests'
import { createCosts, purgeCosts } from '../../contract/cost-writes'
import { queryCosts } from '../../contract/costs'
import { withRequest } from '../../contract/endpoint'
import { parseIdQuery } from '../../contract/id-query'
import { maxResponseBytes, maxResponseRows, requireResponseFits } from '../http/response-size'
import { type Route, route } from '../http/route'
import type { Store } from '../store/store'
import { isTooLarge } from '../store/store-error'
import { deleteCosts } from './delete-costs'
import { listCosts } from './list-costs'
import { defaultCostUnit, toStoredCost } from './stored-cost'

export type CostDeps = { store: Store; clock: () => number; newId: () => string }

const sizeAdvice = "Narrow the 'query', or set a smaller 'limit' and page by 'offset'."

export function costRoutes({ store, clock, newId }: CostDeps): Route[] {
  return [
    route(
      withRequest(queryCosts, QueryCosts),
      async (input, { reader }) => {
        const limit = Math.min(input.limit ?? Infinity, maxResponseRows + 1)
        const options = { ...reader, maxResultBytes: maxResponseBytes }
        const results = await listCosts(store, { ...input, limit }, options).catch((error: unknown) => {
          if (isTooLarge(error)) requireResponseFits({ rows: Infinity, bytes: Infinity }, sizeAdvice)
          throw error
        })
        requireResponseFits({ rows: results.length, bytes: 0 }, sizeAdvice)
        return { results }
      },
      { readsCalls: false },
    ),

    route(
      withRequest(createCosts, CreateCosts),
      async ({ project_id: projectId, costs }, { user, reader }) => {
        const now = clock()
        const rows = Object.entries(costs).map(([llmId, cost]) =>
          toStoredCost(
            {
              project_id: projectId,
              id: newId(),
              llm_id: llmId,
              provider_id: cost.provider_id ?? 'default',
              prompt_token_cost: cost.prompt_token_cost,
              completion_token_cost: cost.completion_token_cost,
              cache_read_input_token_cost: cost.cache_read_input_token_cost ?? null,
              cache_creation_input_token_cost: cost.cache_creation_input_token_cost ?? null,
              prompt_token_cost_unit: cost.prompt_token_cost_unit ?? defaultCostUnit,
              completion_token_cost_unit: cost.completion_token_cost_unit ?? defaultCostUnit,
              effectiveDate: cost.effective_date ?? new Date(now).toISOString(),
              created_by: user.username,
            },
            now,
          ),
        )
        await store.insert('costs', rows, reader)
        return { ids: rows.map(({ id, llm_id: llmId }): [string, string] => [id, llmId]) }
      },
      { readsCalls: false },
    ),

    route(
      withRequest(purgeCosts, PurgeCosts),
      async ({ project_id: projectId, query }, { reader }) => {
        await deleteCosts(store, projectId, parseIdQuery(query) ?? [], reader)
        return {}
      },
      { readsCalls: false },
    ),
  ]
}
