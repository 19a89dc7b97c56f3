import type { Operand, Query } from './expression'
import { refineAs } from './schema'

/** The ids that a query names, or undefined where the query is anything but a choice of ids. */
export function parseIdQuery(query: Query): string[] | undefined {
  return parseIds(query.$expr)
}

/** A check: the query of a purge names ids and nothing else. */
export const namesOnlyIds = refineAs<Query>(
  'value_error',
  (query) => parseIdQuery(query) !== undefined,
  'A purge names ids only: {"$expr": {"$eq": [{"$getField": "id"}, {"$literal": "…"}]}}, or \'$in\', or \'$or\' of these.',
)

function parseIds(operation: Operand): string[] | undefined {
  if ('$or' in operation) return allOrNone(operation.$or.map(parseIds))?.flat()
  if ('$eq' in operation) {
    const [left, right] = operation.$eq
    return allOrNone([isIdField(left) ? literalText(right) : isIdField(right) ? literalText(left) : undefined])
  }
  if ('$in' in operation) {
    const [left, items] = operation.$in
    return isIdField(left) ? allOrNone(items.map(literalText)) : undefined
  }
  return undefined
}

function allOrNone<T>(list: (T | undefined)[]): T[] | undefined {
  return list.every((item): item is T => item !== undefined) ? list : undefined
}

function isIdField(operand: Operand): boolean {
  return '$getField' in operand && operand.$getField === 'id'
}

function literalText(operand: Operand): string | undefined {
  return '$literal' in operand && typeof operand.$literal === 'string' ? operand.$literal : undefined
}
