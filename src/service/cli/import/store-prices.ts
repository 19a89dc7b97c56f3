import { cacheCostFields, catalogIdPrefix, costFields } from '../../../contract/cost-fields'
import { createCosts, type NewCost } from '../../../contract/cost-requests'
import { CostWithCachePrices } from '../../../contract/cost-with-cache-prices'
import { queryCosts } from '../../../contract/costs'
import * as z from 'zod/mini'
import { parseInstant } from '../../../contract/instant'
import { formatProblems } from './batch-result'
import { ImportError } from './import-error'
import { defaultProvider, type ImportedPrice, toComparableValues } from './price'
import type { ServiceClient, ServiceReply } from './service-client'

const CostPage = z.object({ results: z.array(CostWithCachePrices) })
const pricesPerRequest = 1000
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
    for (const batch of toBatches(missing)) {
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

/**
 * Selects the prices that are not stored yet. A price with a date is stored if a record has the same date and values. A price
 * without a date applies from now on: it is stored if the record in force has the same values.
 */
export function selectMissing(prices: readonly ImportedPrice[], { costs, serverTimeMs }: StoredCosts): ImportedPrice[] {
  const recordsByModel = new Map<string, { values: string; since: bigint }[]>()
  for (const cost of costs) {
    const key = toModelKey(cost.llm_id, cost.provider_id)
    const record = { values: toComparableValues(cost), since: toMicroseconds(cost.effective_date) }
    recordsByModel.set(key, [...(recordsByModel.get(key) ?? []), record])
  }
  const now = BigInt(serverTimeMs + clockToleranceMs) * 1000n
  return prices.filter(({ llmId, cost }) => {
    const records = recordsByModel.get(toModelKey(llmId, cost.provider_id)) ?? []
    const started = records.map((record) => record.since).filter((each) => each <= now)
    const latest = started.toSorted((a, b) => (a < b ? -1 : 1)).at(-1)
    const since = cost.effective_date === undefined ? latest : toMicroseconds(cost.effective_date)
    return !records.some((record) => record.since === since && record.values === toComparableValues(cost))
  })
}

function toModelKey(llmId: string | null | undefined, provider: string | null | undefined): string {
  return JSON.stringify([llmId ?? '', provider ?? defaultProvider])
}

function toMicroseconds(date: string | null | undefined): bigint {
  const instant = parseInstant(date ?? '')
  return typeof instant === 'bigint' ? instant : 0n
}

/** The costs of each request, by model: a request can name a model once, so its second price goes into a later request. */
function toBatches(prices: readonly ImportedPrice[]): Map<string, NewCost>[] {
  const batches: Map<string, NewCost>[] = []
  for (const { llmId, cost } of prices) {
    const batch = batches.find((each) => each.size < pricesPerRequest && !each.has(llmId))
    if (batch) batch.set(llmId, cost)
    else batches.push(new Map([[llmId, cost]]))
  }
  return batches
}
