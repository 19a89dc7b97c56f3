import * as z from 'zod/mini'
import { createCosts, type NewCost } from '../../../contract/cost-requests'
import { toProblems } from '../../../contract/to-problems'
import { type LineProblem, textOf } from './outcome'

/** What the service takes for left out. */
export const defaults = { provider: 'default', unit: 'USD' }

/** A price of a file: what `/cost/create` takes, with the line it stands on. */
export type ImportedPrice = { line: number; llmId: string; cost: NewCost }

/** What a price file says: nothing of it is sent unless there are no problems. */
export type PriceList = { prices: ImportedPrice[]; problems: LineProblem[]; skipped: Record<string, number> }

/** A price by the service's own rules, or what is wrong with it. */
export function judgePrice(line: number, llmId: string, cost: Record<string, unknown>): ImportedPrice | LineProblem {
  // Any project will do: only the price is judged here.
  const request = { project_id: 'any/project', costs: { [llmId]: cost } }
  const parsed = z.safeParse(createCosts.request, request)
  const judged = parsed.success ? parsed.data.costs[llmId] : undefined
  if (judged) return { line, llmId, cost: judged }
  const problems = parsed.success ? [] : toProblems(parsed.error.issues, request, [])
  return { line, msg: problems.length > 0 ? textOf(problems, 2) : `'${llmId}' cannot be the name of a model.` }
}

const decimalForm = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,5}))?$/

/**
 * The number that decimal text says, its point moved by `exponent` places: in the text, where that is exact, and not by a
 * division. Text that is no such number comes back as it is, to be refused by name.
 */
export function numberOf(text: string, exponent = 0): number | string {
  const [, sign = '', whole = '', fraction = '', power = '0'] = decimalForm.exec(text) ?? []
  if (whole === '' && fraction === '') return text
  return Number(`${sign}${whole || '0'}.${fraction || '0'}e${Number(power) + exponent}`)
}

/** Leaves out what a file says twice; two prices for one model, provider and date are a problem of the second. */
export function withoutRepeats(list: PriceList): PriceList {
  const first = new Map<string, ImportedPrice>()
  const kept: PriceList = { prices: [], problems: [...list.problems], skipped: { ...list.skipped } }
  for (const price of list.prices) {
    const { llmId, cost, line } = price
    const key = JSON.stringify([llmId, cost.provider_id ?? defaults.provider, cost.effective_date])
    const earlier = first.get(key)
    if (!earlier) {
      first.set(key, price)
      kept.prices.push(price)
    } else if (valuesOf(earlier) === valuesOf(price)) {
      const reason = 'prices said twice'
      kept.skipped[reason] = (kept.skipped[reason] ?? 0) + 1
    } else {
      const msg = `Another price for '${llmId}' of the same provider and date than on line ${earlier.line}. Give one of them another effective_date.`
      kept.problems.push({ line, msg })
    }
  }
  kept.problems.sort((a, b) => a.line - b.line)
  return kept
}

function valuesOf({ cost }: ImportedPrice): string {
  const { prompt_token_cost_unit: promptUnit = defaults.unit, completion_token_cost_unit: completionUnit = defaults.unit } = cost
  return JSON.stringify([cost.prompt_token_cost, cost.completion_token_cost, promptUnit, completionUnit])
}
