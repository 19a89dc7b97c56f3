import { catalogIdPrefix } from '../../contract/costs'
import type { Operand, Operation, Query } from '../../contract/expression'
import type { CostView } from './cost-view'

/** The filters of a view as the wire's conditions; undefined where there are none. */
export function filterQuery(view: CostView, now: string): Query | undefined {
  return allOf([...searched(view.search), ...provided(view.provider), ...sourced(view.source), ...started(view.start, now)])
}

/** Records that have started by `until`, narrowed by the filters that a view over the whole set applies itself. */
export function startedQuery(until: string, narrowedBy?: CostView): Query | undefined {
  const filters = narrowedBy
    ? [...searched(narrowedBy.search), ...provided(narrowedBy.provider), ...sourced(narrowedBy.source)]
    : []
  return allOf([{ $lte: [field('effective_date'), literal(until)] }, ...filters])
}

/** All records of these models. */
export function modelsQuery(models: readonly string[]): Query {
  return { $expr: { $in: [field('llm_id'), models.map(literal)] } }
}

/** The one record of this id. */
export function idQuery(id: string): Query {
  return { $expr: { $eq: [field('id'), literal(id)] } }
}

function allOf(operations: readonly Operation[]): Query | undefined {
  const [first] = operations
  if (!first) return undefined
  return { $expr: operations.length === 1 ? first : { $and: [...operations] } }
}

function searched(text: string): Operation[] {
  const contains = (name: string): Operation => ({
    $contains: { input: field(name), substr: literal(text), case_insensitive: true },
  })
  return text === '' ? [] : [{ $or: [contains('llm_id'), contains('provider_id')] }]
}

function provided(providers: readonly string[]): Operation[] {
  return providers.length === 0 ? [] : [{ $in: [field('provider_id'), providers.map(literal)] }]
}

function sourced(source: CostView['source']): Operation[] {
  const isOfCatalog: Operation = { $contains: { input: field('id'), substr: literal(catalogIdPrefix) } }
  return source === 'any' ? [] : [source === 'catalog' ? isOfCatalog : { $not: [isOfCatalog] }]
}

function started(start: CostView['start'], now: string): Operation[] {
  const pair: [Operand, Operand] = [field('effective_date'), literal(now)]
  return start === 'any' ? [] : [start === 'started' ? { $lte: pair } : { $gt: pair }]
}

function field(name: string): Operand {
  return { $getField: name }
}

function literal(value: string): Operand {
  return { $literal: value }
}
