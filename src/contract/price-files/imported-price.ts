import * as z from 'zod/mini'
import { LlmId, NewCost } from '../new-cost'
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

/** Checks a price by the service's own schemas. */
export function parsePrice(llmId: string, cost: Readonly<Record<string, unknown>>): ImportedPrice | { msg: string } {
  // As a key of JSON it would be lost.
  if (llmId === '__proto__') return { msg: `'${llmId}' cannot be a name here.` }
  const name = z.safeParse(LlmId, llmId)
  const parsed = z.safeParse(NewCost, cost)
  if (name.success && parsed.success) return { llmId, cost: parsed.data }
  const problems = [...toProblems(name.error?.issues ?? [], llmId, []), ...toProblems(parsed.error?.issues ?? [], cost, [])]
  return { msg: formatProblems(problems) }
}
