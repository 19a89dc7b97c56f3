import * as z from 'zod/mini'
import { conversions, type Operand, type Operation, parseTimeLiteral, type Query, type QueryFieldType } from './expression'
import { formatValue, isJsonObject } from './json-value'
import { maxFieldNameLength } from './limits'
import { formatLimit, isLongerThan } from './schema'

const comparisons = ['$eq', '$gt', '$gte', '$lt', '$lte'] as const
const operators = ['$and', '$or', '$not', ...comparisons, '$in', '$contains'] as const
const operandForms = [...operators, '$literal', '$getField', '$convert'] as const

const maxDepth = 32
const maxNodes = 1000

type ValueType = QueryFieldType | 'boolean' | 'null'
type Path = (string | number)[]
type QueryProblem = { type: string; path: Path; message: string }

/**
 * A query over the fields that have a `fieldType`. Fields with one type reject a comparison with another type. A path into
 * JSON has a type in each row, so there each row decides:
 * - A number compared with text is compared as a number where the text is one (`300` with `"1000"`), else as text; so is text
 *   with a number. W&B Weave casts the value to the type of the literal, and so finds that "1000" is less than "300".
 * - Compared with text, and in `$contains`, true, false, lists and objects are their JSON text.
 * - What cannot be read as the other type, null and missing values are unknown, as NULL is in SQL. To choose the type for all
 *   rows, write `$convert`.
 *
 * Everything that can be validated without a row is validated here: form, field names, types compared with each other, the
 * text of times, depth (32) and size (1,000 objects). `supportedFields` is for messages.
 */
export function querySchema(fieldType: (field: string) => QueryFieldType | undefined, supportedFields: string) {
  return z.pipe(
    z.unknown(),
    z.transform((input, context): Query => {
      const parser = new QueryParser(fieldType, supportedFields)
      const query = parser.parseQuery(input)
      for (const { type, path, message } of parser.problems) {
        context.issues.push({ code: 'custom', message, path, params: { type }, input })
      }
      return query ?? z.NEVER
    }),
  )
}

/** Parses one query and collects its problems with their paths. */
class QueryParser {
  readonly problems: QueryProblem[] = []
  private nodes = 0

  constructor(
    private readonly fieldType: (field: string) => QueryFieldType | undefined,
    private readonly supportedFields: string,
  ) {}

  parseQuery(input: unknown): Query | undefined {
    if (input === undefined) return this.reject('missing', [], 'Field required: {"$expr": ...}.')
    const wrapper = this.object(input, [])
    if (!wrapper) return undefined
    for (const key of Object.keys(wrapper)) {
      if (key !== '$expr')
        this.reject('extra_forbidden', [key], `${formatValue(key)} is not a field of a query. Only '$expr' is.`)
    }
    if (!Object.hasOwn(wrapper, '$expr')) {
      return this.reject('missing', ['$expr'], `Field required: an operation, one of ${operators.join(', ')}.`)
    }
    const path = ['$expr']
    const read = this.operand(wrapper['$expr'], path, 1)
    if (!read || this.problems.length > 0) return undefined
    return isOperation(read.operand)
      ? { $expr: read.operand }
      : this.reject('value_error', path, `'$expr' holds an operation, one of ${operators.join(', ')}.`)
  }

  private operand(input: unknown, path: Path, depth: number): { operand: Operand; type: ValueType } | undefined {
    const node = this.object(input, path)
    if (!node) return undefined
    this.nodes += 1
    if (depth > maxDepth) return this.reject('value_error', path, `Nested too deeply: at most ${maxDepth} levels.`)
    if (this.nodes === maxNodes + 1) return this.reject('value_error', path, `Too large: at most ${maxNodes} objects in a query.`)
    if (this.nodes > maxNodes) return undefined
    const keys = Object.keys(node)
    const [key] = keys
    if (key === undefined || keys.length > 1) {
      return this.reject('value_error', path, `An object holds one operator: exactly one of ${operandForms.join(', ')}.`)
    }
    const value = node[key]
    const at = [...path, key]
    switch (key) {
      case '$literal':
        return this.literal(value, at)
      case '$getField':
        return this.getField(value, at)
      case '$convert':
        return this.convert(value, at, depth)
      case '$and':
      case '$or': {
        const operands = this.conditions(value, at, depth, 1)
        return operands && { operand: key === '$and' ? { $and: operands } : { $or: operands }, type: 'boolean' }
      }
      case '$not': {
        const [operand] = this.conditions(value, at, depth, 1, 1) ?? []
        return operand && { operand: { $not: [operand] }, type: 'boolean' }
      }
      case '$in':
        return this.isIn(value, at, depth)
      case '$contains':
        return this.contains(value, at, depth)
      default: {
        const comparison = comparisons.find((name) => name === key)
        return comparison
          ? this.comparison(comparison, value, at, depth)
          : this.reject('value_error', at, `Unknown operator ${formatValue(key)}. Supported: ${operandForms.join(', ')}.`)
      }
    }
  }

  private literal(value: unknown, path: Path) {
    if (typeof value === 'string') return { operand: { $literal: value }, type: 'string' as const }
    if (typeof value === 'number') return { operand: { $literal: value }, type: 'number' as const }
    if (typeof value === 'boolean') return { operand: { $literal: value }, type: 'boolean' as const }
    if (value === null) return { operand: { $literal: null }, type: 'null' as const }
    return this.reject('value_error', path, 'A literal is a string, a number, true, false or null.')
  }

  private getField(value: unknown, path: Path) {
    if (typeof value !== 'string') return this.reject('string_type', path, 'Must be the name of a field, a string.')
    if (isLongerThan(value, maxFieldNameLength)) {
      return this.reject(
        'string_too_long',
        path,
        `The name of a field is too long: at most ${formatLimit(maxFieldNameLength)} characters.`,
      )
    }
    const type = this.fieldType(value)
    return type
      ? { operand: { $getField: value }, type }
      : this.reject('value_error', path, `Unsupported field ${formatValue(value)}. Supported: ${this.supportedFields}.`)
  }

  private convert(value: unknown, path: Path, depth: number) {
    const node = this.exactObject(value, path, ['input', 'to'])
    if (!node) return undefined
    const to = conversions.find((name) => name === node['to'])
    if (!to) this.reject('literal_error', [...path, 'to'], `Unsupported conversion. Supported: ${conversions.join(', ')}.`)
    const input = this.operand(node['input'], [...path, 'input'], depth + 1)
    if (!to || !input) return undefined
    const type =
      to === 'string' ? ('string' as const) : to === 'double' || to === 'int' ? ('number' as const) : ('boolean' as const)
    return { operand: { $convert: { input: input.operand, to } }, type }
  }

  /** The operands of `$and`, `$or`, `$not`: conditions, or literals that are read as true or false. */
  private conditions(value: unknown, path: Path, depth: number, min: number, max = Infinity): Operand[] | undefined {
    const list = this.list(value, path, min, max)
    const operands = list?.map((item, index) => {
      const at = [...path, index]
      const read = this.operand(item, at, depth + 1)
      if (!read) return undefined
      if ('$literal' in read.operand || read.type === 'boolean') return read.operand
      return this.reject('value_error', at, 'Expected a condition: an operation, or a literal. Compare the value with something.')
    })
    return complete(operands)
  }

  private comparison(key: (typeof comparisons)[number], value: unknown, path: Path, depth: number) {
    const list = this.list(value, path, 2, 2)
    const read = complete(list?.map((item, index) => this.operand(item, [...path, index], depth + 1)))
    const [left, right] = read ?? []
    if (!left || !right || !this.areComparable(left, right, path)) return undefined
    const pair: [Operand, Operand] = [left.operand, right.operand]
    switch (key) {
      case '$eq':
        return { operand: { $eq: pair }, type: 'boolean' as const }
      case '$gt':
        return { operand: { $gt: pair }, type: 'boolean' as const }
      case '$gte':
        return { operand: { $gte: pair }, type: 'boolean' as const }
      case '$lt':
        return { operand: { $lt: pair }, type: 'boolean' as const }
      case '$lte':
        return { operand: { $lte: pair }, type: 'boolean' as const }
    }
  }

  private isIn(value: unknown, path: Path, depth: number) {
    const list = this.list(value, path, 2, 2)
    if (!list) return undefined
    const left = this.operand(list[0], [...path, 0], depth + 1)
    const items = this.list(list[1], [...path, 1], 0, Infinity)
    const read = complete(items?.map((item, index) => this.operand(item, [...path, 1, index], depth + 1)))
    if (!left || !read) return undefined
    const comparable = read.map((item, index) => this.areComparable(left, item, [...path, 1, index]))
    if (comparable.includes(false)) return undefined
    const operand: Operation = { $in: [left.operand, read.map((item) => item.operand)] }
    return { operand, type: 'boolean' as const }
  }

  private contains(value: unknown, path: Path, depth: number) {
    const node = this.exactObject(value, path, ['input', 'substr'], ['case_insensitive'])
    if (!node) return undefined
    const parts = (['input', 'substr'] as const).map((name) => {
      const at = [...path, name]
      const read = this.operand(node[name], at, depth + 1)
      if (!read) return undefined
      if (read.type === 'string' || read.type === 'json' || read.type === 'null') return read.operand
      return this.reject(
        'value_error',
        at,
        `'$contains' looks for text in text, not in a ${read.type}. Convert it to "string" first.`,
      )
    })
    const flag = node['case_insensitive'] ?? undefined
    if (flag !== undefined && typeof flag !== 'boolean') {
      return this.reject('bool_type', [...path, 'case_insensitive'], 'Must be true or false.')
    }
    const [input, substr] = parts
    if (!input || !substr) return undefined
    const operand: Operation = { $contains: { input, substr, case_insensitive: flag } }
    return { operand, type: 'boolean' as const }
  }

  private areComparable(
    left: { operand: Operand; type: ValueType },
    right: { operand: Operand; type: ValueType },
    path: Path,
  ): boolean {
    if (left.type === right.type || [left.type, right.type].some((type) => type === 'null' || type === 'json')) return true
    const [time, other] = left.type === 'datetime' ? [left, right] : [right, left]
    if (time.type === 'datetime' && '$literal' in other.operand) {
      const { $literal } = other.operand
      const instant = parseTimeLiteral($literal)
      if (typeof instant === 'bigint') return true
      this.reject('datetime_parsing', path, instant)
      return false
    }
    this.reject(
      'value_error',
      path,
      `A ${left.type} cannot be compared with a ${right.type}. Convert one of them with '$convert'.`,
    )
    return false
  }

  private object(value: unknown, path: Path): Readonly<Record<string, unknown>> | undefined {
    if (isJsonObject(value)) return value
    return this.reject('dict_type', path, 'Must be an object, such as {"$literal": "text"} or {"$getField": "llm_id"}.')
  }

  private exactObject(value: unknown, path: Path, required: readonly string[], optional: readonly string[] = []) {
    const node = this.object(value, path)
    if (!node) return undefined
    const problemCount = this.problems.length
    for (const name of required) {
      if (!Object.hasOwn(node, name)) this.reject('missing', [...path, name], 'Field required.')
    }
    for (const key of Object.keys(node)) {
      if (![...required, ...optional].includes(key))
        this.reject('extra_forbidden', [...path, key], `${formatValue(key)} is not a field here.`)
    }
    return this.problems.length === problemCount ? node : undefined
  }

  private list(value: unknown, path: Path, min: number, max: number): unknown[] | undefined {
    if (!Array.isArray(value)) return this.reject('list_type', path, 'Must be a list.')
    if (value.length > 2 * maxNodes) return this.reject('value_error', path, `Too large: at most ${maxNodes} objects in a query.`)
    if (value.length >= min && value.length <= max) return value
    const expected = min === max ? `exactly ${min}` : `at least ${min}`
    return this.reject('value_error', path, `Must be a list of ${expected}, not ${value.length}.`)
  }

  private reject(type: string, path: Path, message: string): undefined {
    if (this.problems.length < maxNodes) this.problems.push({ type, path, message })
    return undefined
  }
}

function complete<T>(list: (T | undefined)[] | undefined): T[] | undefined {
  return list?.every((item): item is T => item !== undefined) ? list : undefined
}

function isOperation(operand: Operand): operand is Operation {
  return !('$literal' in operand || '$getField' in operand || '$convert' in operand)
}
