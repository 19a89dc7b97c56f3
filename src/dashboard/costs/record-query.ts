import type { Operand, Operation, Query } from '../../contract/expression'
import { allOf, field, literal, provided, searched, sourced } from './cost-query'
import type { CostView } from './cost-view'

/** The filters of a view as the wire's conditions; undefined where there are none. */
export function filterQuery(view: CostView, now: string): Query | undefined {
  return allOf([...searched(view.search), ...provided(view.provider), ...sourced(view.source), ...started(view.start, now)])
}

/** All records of these models. */
export function modelsQuery(models: readonly string[]): Query {
  return { $expr: { $in: [field('llm_id'), models.map(literal)] } }
}

/** The one record of this id. */
export function idQuery(id: string): Query {
  return { $expr: { $eq: [field('id'), literal(id)] } }
}

function started(start: CostView['start'], now: string): Operation[] {
  const pair: [Operand, Operand] = [field('effective_date'), literal(now)]
  return start === 'any' ? [] : [start === 'started' ? { $lte: pair } : { $gt: pair }]
}
