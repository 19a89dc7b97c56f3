import type { QueryClient } from '@tanstack/react-query'
import { createCosts } from '../../../contract/cost-writes'
import type { ImportedPrice } from '../../../contract/price-files/imported-price'
import { toBatches } from '../../../contract/price-files/to-batches'
import type { Connection } from '../../client/connection'
import { fetchJson } from '../../client/fetch-json'
import { allCostsQuery } from '../records/all-costs-query'
import { listMissing, planImport } from './import-plan'

/** Small enough that progress is seen; the service takes 1,000. */
const pricesPerRequest = 200

type Options = {
  connection: Connection
  queryClient: QueryClient
  /** From when prices without a date hold. */
  from: string
  onProgress: (sent: number, total: number) => void
}

/**
 * Sends the prices that are not stored yet. What is stored is read first, so an import that broke off can be repeated: no
 * price is stored twice. Throws the `ApiError` of the request that failed.
 */
export async function sendPrices(prices: readonly ImportedPrice[], { connection, queryClient, from, onProgress }: Options) {
  const { rows } = await queryClient.fetchQuery({ ...allCostsQuery(connection), staleTime: 0 })
  const missing = listMissing(planImport(prices, rows, Date.parse(from)), from)
  let sent = 0
  onProgress(sent, missing.length)
  for (const batch of toBatches(missing, pricesPerRequest)) {
    await fetchJson(createCosts, { project_id: connection.projectId, costs: Object.fromEntries(batch) }, { connection })
    sent += batch.size
    onProgress(sent, missing.length)
  }
  return sent
}
