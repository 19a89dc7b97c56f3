import * as z from 'zod/mini'
import { catalogModelOf } from './catalog-model-of'
import type { QueryOptions, Store } from '../store/store'
import { choosePrice, type PriceRecord } from './choose-price'

const nullableCost = z.nullable(z.number())

const PriceRow = z.object({
  id: z.string(),
  project_id: z.string(),
  llm_id: z.string(),
  provider_id: z.string(),
  prompt_token_cost: nullableCost,
  completion_token_cost: nullableCost,
  cache_read_input_token_cost: nullableCost,
  cache_creation_input_token_cost: nullableCost,
  prompt_token_cost_unit: z.string(),
  completion_token_cost_unit: z.string(),
  effective_date: z.string(),
  created_at: z.string(),
  created_by: z.string(),
})

const selectPrices = `SELECT id, project_id, llm_id, provider_id, prompt_token_cost, completion_token_cost,
  cache_read_input_token_cost, cache_creation_input_token_cost, prompt_token_cost_unit, completion_token_cost_unit,
  effective_date, created_at, created_by
FROM costs FINAL
WHERE project_id IN ({project_id:String}, '') AND is_deleted = 0 AND llm_id IN {llm_ids:Array(String)}`

/**
 * The prices of a project's models as one request needs them: each model is looked up once. Providers answer with the
 * name of a version, which price lists rarely have: where no record has that very name, the model's own records count.
 */
export class PriceBook {
  private readonly pricesByModel = new Map<string, PriceRecord[]>()

  constructor(
    private readonly store: Store,
    private readonly projectId: string,
  ) {}

  /** Looks up the models that are not known yet. */
  async learn(models: Iterable<string>, options: QueryOptions): Promise<void> {
    const unknown = [...new Set(models)].filter((model) => !this.pricesByModel.has(model))
    if (unknown.length === 0) return
    for (const [model, prices] of await this.pricesOf(unknown, options)) this.pricesByModel.set(model, prices)
    const versions = unknown.flatMap((name) => {
      const model = this.pricesByModel.get(name)?.length === 0 ? catalogModelOf(name) : undefined
      return model === undefined ? [] : [{ name, model }]
    })
    if (versions.length === 0) return
    const ofModels = await this.pricesOf([...new Set(versions.map(({ model }) => model))], options)
    for (const { name, model } of versions) this.pricesByModel.set(name, ofModels.get(model) ?? [])
  }

  private async pricesOf(models: readonly string[], options: QueryOptions): Promise<Map<string, PriceRecord[]>> {
    const found = new Map<string, PriceRecord[]>(models.map((model) => [model, []]))
    const params = { project_id: this.projectId, llm_ids: models }
    for (const price of await this.store.query(selectPrices, params, PriceRow, options)) found.get(price.llm_id)?.push(price)
    return found
  }

  /** The price of a model for a call that started then (the engine's text); undefined where there is none. */
  priceOf(model: string, startedAt: string, provider: string | undefined): PriceRecord | undefined {
    return choosePrice(this.pricesByModel.get(model) ?? [], startedAt, provider)
  }
}
