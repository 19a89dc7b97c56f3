import { type CostField, costFields } from '../../contract/cost-fields'
import type { Operand, Operation, Query } from '../../contract/expression'
import { recordColumns } from './record-columns'
import { field, literal, toAndQuery, toConditions } from './cost-query'
import type { CostView } from './cost-view'

// Apart from cost-query.ts, because the first script does not need these.

/** The filters of a view in the wire's query language; undefined where none is set. */
export function filterQuery(view: CostView, now: string): Query | undefined {
  return toAndQuery([...toConditions(view), ...toStartConditions(view.start, now)])
}

/** The fields that a table with these hidden columns needs from the server. */
export function requiredCostFields(hiddenIds: readonly string[]): CostField[] {
  const isShown = (id: string) => !hiddenIds.includes(id)
  // A row's id, panel and state need these four.
  const required = new Set<CostField>(['id', 'llm_id', 'provider_id', 'effective_date'])
  for (const name of costFields) if (recordColumns.some(({ id }) => id === name) && isShown(name)) required.add(name)
  // A price means nothing without its currency, and the ratio needs both prices.
  if (isShown('ratio')) required.add('prompt_token_cost').add('completion_token_cost')
  if (required.has('prompt_token_cost')) required.add('prompt_token_cost_unit')
  if (required.has('completion_token_cost') || isShown('prompt_token_cost_unit')) required.add('completion_token_cost_unit')
  return costFields.filter((name) => required.has(name))
}

function toStartConditions(start: CostView['start'], now: string): Operation[] {
  const operands: [Operand, Operand] = [field('effective_date'), literal(now)]
  return start === 'any' ? [] : [start === 'started' ? { $lte: operands } : { $gt: operands }]
}
