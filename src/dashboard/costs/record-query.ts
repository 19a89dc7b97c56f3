import type { Operand, Operation, Query } from '../../contract/expression'
import { toAndQuery, getField, literal, toProviderConditions, toSearchConditions, toSourceConditions } from './cost-query'
import type { CostView } from './cost-view'

/** The filters of a view as the wire's conditions; undefined where there are none. */
export function filterQuery(view: CostView, now: string): Query | undefined {
  return toAndQuery([
    ...toSearchConditions(view.search),
    ...toProviderConditions(view.provider),
    ...toSourceConditions(view.source),
    ...toStartConditions(view.start, now),
  ])
}

/** All records of these models. */
export function queryByModels(models: readonly string[]): Query {
  return { $expr: { $in: [getField('llm_id'), models.map(literal)] } }
}

/** The one record of this id. */
export function queryById(id: string): Query {
  return { $expr: { $eq: [getField('id'), literal(id)] } }
}

function toStartConditions(start: CostView['start'], now: string): Operation[] {
  const pair: [Operand, Operand] = [getField('effective_date'), literal(now)]
  return start === 'any' ? [] : [start === 'started' ? { $lte: pair } : { $gt: pair }]
}
