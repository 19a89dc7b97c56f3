import { catalogIdPrefix } from '../../contract/cost-fields'
import type { Operand, Operation, Query } from '../../contract/expression'
import type { CostView } from './cost-view'

/** Records that started at `until` or earlier. With `view`, also those filters of it that "in force" applies in the browser. */
export function startedQuery(until: string, view?: CostView): Query | undefined {
  return toAndQuery([{ $lte: [field('effective_date'), literal(until)] }, ...(view ? toConditions(view) : [])])
}

export function toConditions({ search, provider, source }: CostView): Operation[] {
  const contains = (name: string, word: string): Operation => ({
    $contains: { input: field(name), substr: literal(word), case_insensitive: true },
  })
  const isCatalog: Operation = { $contains: { input: field('id'), substr: literal(catalogIdPrefix) } }
  const conditions: Operation[] = []
  for (const word of toWords(search)) conditions.push({ $or: [contains('llm_id', word), contains('provider_id', word)] })
  if (provider.length > 0) conditions.push({ $in: [field('provider_id'), provider.map(literal)] })
  if (source !== 'any') conditions.push(source === 'catalog' ? isCatalog : { $not: [isCatalog] })
  return conditions
}

/** The words of a search. Each must occur, in any order. */
export function toWords(search: string): string[] {
  return search.split(/\s+/).filter(Boolean)
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
