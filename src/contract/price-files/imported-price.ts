import * as z from 'zod/mini'
import { CreateCosts, type NewCost } from '../cost-requests'
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
  const parsed = z.safeParse(CreateCosts, request)
  const parsedCost = parsed.success ? parsed.data.costs[llmId] : undefined
  if (parsedCost) return { llmId, cost: parsedCost }
  const problems = parsed.success ? [] : toProblems(parsed.error.issues, request, [])
  return { msg: problems.length > 0 ? formatProblems(problems, 2) : `'${llmId}' cannot be the name of a model.` }
}
