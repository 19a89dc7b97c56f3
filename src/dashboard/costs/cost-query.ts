import { catalogIdPrefix } from '../../contract/costs'
import type { Operand, Operation, Query } from '../../contract/expression'
import type { CostView } from './cost-view'

/** Records that have started by `until`, narrowed by the filters that a view over the whole set applies itself. */
export function startedQuery(until: string, narrowedBy?: CostView): Query | undefined {
  const filters = narrowedBy
    ? [...searched(narrowedBy.search), ...provided(narrowedBy.provider), ...sourced(narrowedBy.source)]
    : []
  return allOf([{ $lte: [field('effective_date'), literal(until)] }, ...filters])
}

export function allOf(operations: readonly Operation[]): Query | undefined {
  const [first] = operations
  if (!first) return undefined
  return { $expr: operations.length === 1 ? first : { $and: [...operations] } }
}

export function searched(text: string): Operation[] {
  const contains = (name: string): Operation => ({
    $contains: { input: field(name), substr: literal(text), case_insensitive: true },
  })
  return text === '' ? [] : [{ $or: [contains('llm_id'), contains('provider_id')] }]
}

export function provided(providers: readonly string[]): Operation[] {
  return providers.length === 0 ? [] : [{ $in: [field('provider_id'), providers.map(literal)] }]
}

export function sourced(source: CostView['source']): Operation[] {
  const isOfCatalog: Operation = { $contains: { input: field('id'), substr: literal(catalogIdPrefix) } }
  return source === 'any' ? [] : [source === 'catalog' ? isOfCatalog : { $not: [isOfCatalog] }]
}

export function field(name: string): Operand {
  return { $getField: name }
}

export function literal(value: string): Operand {
  return { $literal: value }
}
