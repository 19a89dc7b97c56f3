import { catalogIdPrefix } from '../../contract/cost-fields'
import type { Operand, Operation, Query } from '../../contract/expression'
import type { CostView } from './cost-view'

/** Records that started at `until` or earlier. With `view`, also those filters of it that "in force" applies in the browser. */
export function startedQuery(until: string, view?: CostView): Query | undefined {
  return toAndQuery([{ $lte: [field('effective_date'), literal(until)] }, ...(view ? toConditions(view) : [])])
}

export function toConditions({ search, provider, source }: CostView): Operation[] {
  const contains = (name: string): Operation => ({
    $contains: { input: field(name), substr: literal(search), case_insensitive: true },
  })
  const isCatalog: Operation = { $contains: { input: field('id'), substr: literal(catalogIdPrefix) } }
  const conditions: Operation[] = []
  if (search !== '') conditions.push({ $or: [contains('llm_id'), contains('provider_id')] })
  if (provider.length > 0) conditions.push({ $in: [field('provider_id'), provider.map(literal)] })
  if (source !== 'any') conditions.push(source === 'catalog' ? isCatalog : { $not: [isCatalog] })
  return conditions
}

export function toAndQuery(operations: readonly Operation[]): Query | undefined {
  const [first] = operations
  if (!first) return undefined
  return { $expr: operations.length === 1 ? first : { $and: [...operations] } }
}

export function field(name: string): Operand {
  return { $getField: name }
}

export function literal(value: string): Operand {
  return { $literal: value }
}
