import * as z from 'zod/mini'
import { catalogIdPrefix } from '../../../contract/cost-fields'
import { type Cost, queryCosts } from '../../../contract/costs'
import { parseInstant } from '../../../contract/instant'
import { ImportError } from './import-error'
import { textOf } from './outcome'
import { defaults, type ImportedPrice } from './price'
import type { ServerReply, Later, Sender } from './sender'

const pricesPerRequest = 1000
const costsPerPage = 10_000
/** A Date header has no fraction and may be a second old. */
const clockSlackMs = 2000

/** The project's prices of the models in question, and the service's own time. */
type Existing = { costs: Cost[]; now: number }

/**
 * Records prices that are not there yet, and answers how many. Each record is a new row, so whenever it is not known
 * whether some arrived, what is there is read again before anything is sent again.
 */
export async function importPrices(
  prices: readonly ImportedPrice[],
  project: string,
  sender: Sender,
): Promise<{ stored: number; known: number }> {
  const llmIds = new Set(prices.map(({ llmId }) => llmId))
  let before: number | undefined
  await sender.patiently(async () => {
    const existing = await readExisting(project, llmIds, sender)
    if ('kind' in existing) return existing
    const missing = missingOf(prices, existing)
    before ??= prices.length - missing.length
    for (const batch of batchesOf(missing)) {
      const costs = Object.fromEntries(batch.map(({ llmId, cost }) => [llmId, cost]))
      const answer = await sender.attempt({ path: '/cost/create', body: JSON.stringify({ project_id: project, costs }) })
      if (answer.kind === 'later') return answer
      requireAccepted(answer)
    }
    return undefined
  })
  const known = before ?? 0
  return { stored: prices.length - known, known }
}

async function readExisting(project: string, llmIds: ReadonlySet<string>, sender: Sender): Promise<Existing | Later> {
  const costs: Cost[] = []
  for (let offset = 0; ; offset += costsPerPage) {
    // In the order of their ids, which grow: what is added meanwhile comes last.
    const request = { project_id: project, sort_by: [{ field: 'id', direction: 'asc' }], limit: costsPerPage, offset }
    const answer = await sender.attempt({ path: queryCosts.path, body: JSON.stringify(request) })
    if (answer.kind === 'later') return answer
    requireAccepted(answer)
    const parsed = z.safeParse(queryCosts.response, answer.value)
    if (!parsed.success)
      throw new ImportError('The service answered a query of costs with something unknown: it is no Spool, or another version.')
    const { results } = parsed.data
    costs.push(...results.filter(({ id, llm_id: llmId }) => llmIds.has(llmId ?? '') && !id?.startsWith(catalogIdPrefix)))
    if (results.length < costsPerPage) return { costs, now: answer.date?.getTime() ?? Date.now() }
  }
}

function requireAccepted(answer: ServerReply): asserts answer is Extract<ServerReply, { kind: 'accepted' }> {
  if (answer.kind === 'accepted') return
  throw new ImportError(`The service refused the prices: ${textOf(answer.problems)}`)
}

/**
 * What is not there yet: of a price with a date, no record of the same date and values; of one without, which means "from
 * now on", the record in force now has other values.
 */
export function missingOf(prices: readonly ImportedPrice[], { costs, now }: Existing): ImportedPrice[] {
  const kept = new Map<string, { cost: Cost; since: bigint }[]>()
  for (const cost of costs) {
    const key = keyOf(cost.llm_id ?? '', cost.provider_id)
    kept.set(key, [...(kept.get(key) ?? []), { cost, since: microsecondsOf(cost.effective_date) }])
  }
  const nowMicroseconds = BigInt(now + clockSlackMs) * 1000n
  return prices.filter(({ llmId, cost }) => {
    const records = kept.get(keyOf(llmId, cost.provider_id)) ?? []
    if (cost.effective_date !== undefined) {
      const since = microsecondsOf(cost.effective_date)
      return !records.some((record) => record.since === since && hasValuesOf(record.cost, cost))
    }
    const started = records.filter((record) => record.since <= nowMicroseconds)
    const latest = started.reduce((max, { since }) => (since > max ? since : max), -(2n ** 63n))
    return !started.some((record) => record.since === latest && hasValuesOf(record.cost, cost))
  })
}

function hasValuesOf(record: Cost, cost: ImportedPrice['cost']): boolean {
  return (
    record.prompt_token_cost === cost.prompt_token_cost &&
    record.completion_token_cost === cost.completion_token_cost &&
    record.prompt_token_cost_unit === (cost.prompt_token_cost_unit ?? defaults.unit) &&
    record.completion_token_cost_unit === (cost.completion_token_cost_unit ?? defaults.unit)
  )
}

function keyOf(llmId: string, provider: string | null | undefined): string {
  return JSON.stringify([llmId, provider ?? defaults.provider])
}

function microsecondsOf(date: string | null | undefined): bigint {
  const instant = parseInstant(date ?? '')
  return typeof instant === 'bigint' ? instant : 0n
}

/** A request names each model once, so a second price of a model goes into a later one. */
function batchesOf(prices: readonly ImportedPrice[]): ImportedPrice[][] {
  const batches: Map<string, ImportedPrice>[] = []
  const nextBatch = new Map<string, number>()
  for (const price of prices) {
    let index = nextBatch.get(price.llmId) ?? 0
    while ((batches[index]?.size ?? 0) >= pricesPerRequest) index += 1
    const batch = (batches[index] ??= new Map())
    batch.set(price.llmId, price)
    nextBatch.set(price.llmId, index + 1)
  }
  return batches.map((batch) => Array.from(batch.values()))
}
