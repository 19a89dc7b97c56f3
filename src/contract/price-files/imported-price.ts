import * as z from 'zod/mini'
import { createCosts, type NewCost } from '../cost-requests'
import { toProblems } from '../to-problems'
import { formatProblems, type LineProblem } from './format-problems'

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
