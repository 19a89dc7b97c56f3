import type { CostField } from '../../contract/cost-fields'
import { costFields } from '../../contract/cost-fields'
import { costColumns } from './cost-columns'

/** The fields to ask the server for: of the columns on screen, and those that name a row and tell its state. */
export function requiredCostFields(hidden: readonly string[]): CostField[] {
  const isShown = (id: string) => !hidden.includes(id)
  const needed = new Set<CostField>(['id', 'llm_id', 'provider_id', 'effective_date'])
  for (const { id } of costColumns) {
    const field = costFields.find((name) => name === id)
    if (field && isShown(id)) needed.add(field)
  }
  // A price says nothing without its currency, and the ratio is made of both prices.
  if (isShown('ratio')) needed.add('prompt_token_cost').add('completion_token_cost')
  if (needed.has('prompt_token_cost') || isShown('ratio')) needed.add('prompt_token_cost_unit')
  if (needed.has('completion_token_cost') || isShown('ratio')) needed.add('completion_token_cost_unit')
  if (isShown('prompt_token_cost_unit')) needed.add('completion_token_cost_unit')
  return costFields.filter((name) => needed.has(name))
}
