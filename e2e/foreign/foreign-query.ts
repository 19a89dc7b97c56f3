// The query language, order and pages as the requirements describe them, in their shortest form: a second reading of them,
// apart from that of Spool's service.

export type JsonObject = Record<string, unknown>

export type ListRequest = {
  query?: { $expr?: unknown }
  filter?: { thread_ids?: string[] }
  sort_by?: { field: string; direction: 'asc' | 'desc' }[]
  limit?: number
  offset?: number
}

/** Whether a row fulfils an operation such as `{"$eq":[{"$getField":"id"},{"$literal":"x"}]}`. */
export function isMatch(operation: unknown, row: unknown): boolean {
  return evaluate(operation, row) === true
}

function evaluate(operand: unknown, row: unknown): unknown {
  if (!isObject(operand)) return operand
  const [entry] = Object.entries(operand)
  if (!entry) return undefined
  const [operator, argument] = entry
  if (operator === '$literal') return argument
  if (operator === '$getField') return isObject(row) ? (row[String(argument)] ?? null) : null
  if (operator === '$contains' && isObject(argument)) {
    const [input, part] = [argument['input'], argument['substr']].map((each) => toText(evaluate(each, row)))
    const isAnyCase = argument['case_insensitive'] === true
    return isAnyCase ? input?.toLowerCase().includes(part?.toLowerCase() ?? '') : input?.includes(part ?? '')
  }
  const operands = Array.isArray(argument) ? argument : []
  if (operator === '$and') return operands.every((each) => isMatch(each, row))
  if (operator === '$or') return operands.some((each) => isMatch(each, row))
  if (operator === '$not') return !isMatch(operands[0], row)
  const left = evaluate(operands[0], row)
  if (operator === '$in') {
    return Array.isArray(operands[1]) && operands[1].some((each) => evaluate(each, row) === left)
  }
  const order = compare(left, evaluate(operands[1], row))
  return { $eq: order === 0, $gt: order > 0, $gte: order >= 0, $lt: order < 0, $lte: order <= 0 }[operator]
}

/** All operators of a query. */
export function usedOperators(query: unknown): string[] {
  if (Array.isArray(query)) return query.flatMap(usedOperators)
  return isObject(query) ? Object.entries(query).flatMap(([name, value]) => [name].concat(usedOperators(value))) : []
}

type Limits = { ignores?: readonly string[]; limitCap?: number }

/** The rows of one page. */
export function selectRows(rows: readonly unknown[], request: ListRequest, { ignores = [], limitCap }: Limits): unknown[] {
  const { sort_by: keys = [], limit = Infinity, offset = 0 } = request
  const sorted = ignores.includes('sort_by') ? [...rows] : rows.toSorted((left, right) => compareBy(keys, left, right))
  const start = ignores.includes('offset') ? 0 : offset
  const count = Math.min(ignores.includes('limit') ? Infinity : limit, limitCap ?? Infinity)
  return sorted.slice(start, start + count)
}

function compareBy(keys: readonly { field: string; direction: string }[], left: unknown, right: unknown): number {
  for (const { field, direction } of keys) {
    const order = compare(isObject(left) ? left[field] : null, isObject(right) ? right[field] : null)
    if (order !== 0) return direction === 'desc' ? -order : order
  }
  return 0
}

function compare(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  const [a, b] = [toText(left), toText(right)]
  return a === b ? 0 : a < b ? -1 : 1
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
