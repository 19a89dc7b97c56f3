import * as z from 'zod/mini'
import { createCosts, type NewCost } from '../../../contract/cost-requests'
import type { CostWithCachePrices } from '../../../contract/cost-with-cache-prices'
import { toProblems } from '../../../contract/to-problems'
import { formatProblems, type LineProblem } from './batch-result'

export type ImportedPrice = { llmId: string; cost: NewCost }

/** The content of a price file. Nothing of it is stored while it has problems. */
export type PriceList = {
  prices: ImportedPrice[]
  problems: LineProblem[]
  /** How many were left out, by reason. */
  skipped: Record<string, number>
  /** What a record of Spool cannot hold, one sentence each. */
  losses?: string[]
}

/** What the service stores where a price does not name them. */
export const defaultProvider = 'default'
export const defaultUnit = 'USD'

/** Checks a price by the service's own schema. */
export function parsePrice(llmId: string, cost: Readonly<Record<string, unknown>>): ImportedPrice | { msg: string } {
  // The schema needs a project; any one is right.
  const request = { project_id: 'any/project', costs: { [llmId]: cost } }
  const parsed = z.safeParse(createCosts.request, request)
  const parsedCost = parsed.success ? parsed.data.costs[llmId] : undefined
  if (parsedCost) return { llmId, cost: parsedCost }
  const problems = parsed.success ? [] : toProblems(parsed.error.issues, request, [])
  return { msg: problems.length > 0 ? formatProblems(problems, 2) : `'${llmId}' cannot be the name of a model.` }
}

const decimal = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,5}))?$/

/**
 * Parses decimal text times 10 to the power of `exponent`. The text gets the exponent, because a division would round:
 * '0.15' and -6 give exactly 1.5e-7. Undefined for text that is not a decimal number.
 */
export function parseDecimal(text: string, exponent = 0): number | undefined {
  const [, sign = '', whole = '', fraction = '', power = '0'] = decimal.exec(text) ?? []
  if (whole === '' && fraction === '') return undefined
  return Number(`${sign}${whole || '0'}.${fraction || '0'}e${Number(power) + exponent}`)
}

/** The values of a price, with the defaults of the service, as a text to compare. */
export function toComparableValues(cost: NewCost | CostWithCachePrices): string {
  return JSON.stringify([
    cost.prompt_token_cost,
    cost.completion_token_cost,
    cost.cache_read_input_token_cost ?? null,
    cost.cache_creation_input_token_cost ?? null,
    cost.prompt_token_cost_unit ?? defaultUnit,
    cost.completion_token_cost_unit ?? defaultUnit,
  ])
}
