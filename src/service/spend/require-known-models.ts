import { HttpError } from '../http/http-error'
import type { PriceBook } from '../pricing/price-book'
import type { QueryOptions } from '../store/store'

type Reference = { llm_id: string; provider_id?: string | undefined }

/** Loads the prices of reference models. Throws an `HttpError` that names those without a price. */
export async function requireKnownModels(
  prices: PriceBook,
  references: readonly Reference[],
  options: QueryOptions,
): Promise<void> {
  await prices.load(
    references.map(({ llm_id }) => llm_id),
    options,
  )
  const problems = references.flatMap(({ llm_id, provider_id }, index) => {
    if (!prices.hasPrice(llm_id)) {
      const msg = `No price is known for the model '${llm_id}'. Name a model that has a price.`
      return [{ loc: ['body', 'reprice_as', String(index), 'llm_id'], msg, type: 'value_error' }]
    }
    if (provider_id === undefined || prices.hasPrice(llm_id, provider_id)) return []
    const msg = `No price of the provider '${provider_id}' is known for the model '${llm_id}'. Leave it out for the maker's price.`
    return [{ loc: ['body', 'reprice_as', String(index), 'provider_id'], msg, type: 'value_error' }]
  })
  if (problems.length > 0) throw new HttpError('invalid', problems)
}
