import { cacheCostFields, catalogIdPrefix, costFields } from '../../../contract/cost-fields'
import { createCosts } from '../../../contract/cost-writes'
import { CostWithCachePrices } from '../../../contract/cost-with-cache-prices'
import { queryCosts } from '../../../contract/costs'
import { maxCostsPerRequest } from '../../../contract/limits'
import * as z from 'zod/mini'
import { compareWithStored } from '../../../contract/price-files/compare-with-stored'
import { formatProblems } from '../../../contract/price-files/format-problems'
import type { ImportedPrice } from '../../../contract/price-files/imported-price'
import { toBatches } from '../../../contract/price-files/to-batches'
import { ImportError } from './import-error'
import type { ServiceClient, ServiceReply } from './service-client'

const CostPage = z.object({ results: z.array(CostWithCachePrices) })
const costsPerPage = 10_000
/** A Date header has no fraction of a second and may be a second old. */
const clockToleranceMs = 2000

/** The project's own prices of the imported models. */
type StoredCosts = { costs: CostWithCachePrices[]; serverTimeMs: number }

/**
 * Stores the prices that are not stored yet. `/cost/create` always adds records, so before every retry the stored prices are
 * read again: an earlier request may have arrived although its response was lost.
 */
export async function storePrices(
  prices: readonly ImportedPrice[],
  project: string,
  client: ServiceClient,
): Promise<{ stored: number; alreadyStored: number }> {
  const llmIds = new Set(prices.map(({ llmId }) => llmId))
  let alreadyStored: number | undefined
  await client.retry(async () => {
    const missing = selectMissing(prices, await readStoredCosts(project, llmIds, client))
    alreadyStored ??= prices.length - missing.length
    for (const batch of toBatches(missing, maxCostsPerRequest)) {
      const body = JSON.stringify({ project_id: project, costs: Object.fromEntries(batch) })
      const { path, response } = createCosts
      requireAccepted(await client.tryPost({ path, body, response }))
    }
  })
  return { stored: prices.length - (alreadyStored ?? 0), alreadyStored: alreadyStored ?? 0 }
}

async function readStoredCosts(project: string, llmIds: ReadonlySet<string>, client: ServiceClient): Promise<StoredCosts> {
  const costs: CostWithCachePrices[] = []
  for (let offset = 0; ; offset += costsPerPage) {
    // Ids grow, so records that are added meanwhile come last and shift no page.
    const fields = [...costFields, ...cacheCostFields]
    const request = { project_id: project, fields, sort_by: [{ field: 'id', direction: 'asc' }], limit: costsPerPage, offset }
    const reply = requireAccepted(
      await client.tryPost({ path: queryCosts.path, body: JSON.stringify(request), response: CostPage }),
    )
    const { results } = reply.value
    costs.push(...results.filter(({ id, llm_id: llmId }) => llmIds.has(llmId ?? '') && !id?.startsWith(catalogIdPrefix)))
    if (results.length < costsPerPage) return { costs, serverTimeMs: reply.date?.getTime() ?? Date.now() }
  }
}

function requireAccepted<Value>(reply: ServiceReply<Value>) {
  if (reply.kind === 'accepted') return reply
  throw new ImportError(`The service refused the prices: ${formatProblems(reply.problems)}`)
}

/** The prices that the project does not have yet. */
export function selectMissing(prices: readonly ImportedPrice[], { costs, serverTimeMs }: StoredCosts): ImportedPrice[] {
  return compareWithStored(prices, costs, serverTimeMs + clockToleranceMs).flatMap(({ price, isStored }) =>
    isStored ? [] : [price],
  )
}
