import { catalogIdPrefix } from '../../contract/cost-fields'
import type { Operand, Operation, Query } from '../../contract/expression'
import type { CostView } from './cost-view'

/** Records that have started by `until`, narrowed by the filters that a view over the whole set applies itself. */
export function startedQuery(until: string, narrowedBy?: CostView): Query | undefined {
  const filters = narrowedBy
    ? [
        ...toSearchConditions(narrowedBy.search),
        ...toProviderConditions(narrowedBy.provider),
        ...toSourceConditions(narrowedBy.source),
      ]
    : []
  return toAndQuery([{ $lte: [getField('effective_date'), literal(until)] }, ...filters])
}

export function toAndQuery(operations: readonly Operation[]): Query | undefined {
  const [first] = operations
  if (!first) return undefined
  return { $expr: operations.length === 1 ? first : { $and: [...operations] } }
}

export function toSearchConditions(text: string): Operation[] {
  const contains = (name: string): Operation => ({
    $contains: { input: getField(name), substr: literal(text), case_insensitive: true },
  })
  return text === '' ? [] : [{ $or: [contains('llm_id'), contains('provider_id')] }]
}

export function toProviderConditions(providers: readonly string[]): Operation[] {
  return providers.length === 0 ? [] : [{ $in: [getField('provider_id'), providers.map(literal)] }]
}

export function toSourceConditions(source: CostView['source']): Operation[] {
  const isOfCatalog: Operation = { $contains: { input: getField('id'), substr: literal(catalogIdPrefix) } }
  return source === 'any' ? [] : [source === 'catalog' ? isOfCatalog : { $not: [isOfCatalog] }]
}

export function getField(name: string): Operand {
  return { $getField: name }
}

export function literal(value: string): Operand {
  return { $literal: value }
}
