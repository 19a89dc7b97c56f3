import { parseTimeLiteral, type Literal, type Operand, type Operation, type Query } from '../../contract/expression'
import type { QueryParams } from './store'

type Bind = (type: 'String' | 'Float64' | 'Int64', value: string) => string

/** Where a field is found. The SQL of `json` gives the value's raw JSON text, '' where there is none. */
export type FieldSql = { type: 'string' | 'number' | 'datetime' | 'json'; sql: string }

/** Numbers are Float64, booleans UInt8, times microseconds since 1970 as Int64; each may be NULL. */
type Value = { type: FieldSql['type'] | 'boolean' | 'null'; sql: string }

/**
 * A condition of the wire as a condition of SQL, with its logic of three values. Literals enter by bound parameters only;
 * so does whatever `fieldOf` binds, such as the parts of a dotted path. The query has been judged by `querySchema`, so types fit.
 * `prefix` begins the names of the parameters: of two conditions in one statement each needs its own.
 *
 * Every operand is written once into the text, however deep the query: one that were written twice would double the text
 * with every level. That is why conversions avoid `if(isNull(x), ..., x)`.
 */
export function compileExpression(
  query: Query,
  fieldOf: (field: string, bind: Bind) => FieldSql,
  prefix = 'e',
): { sql: string; params: QueryParams } {
  const compiler = new Compiler(fieldOf, prefix)
  const sql = compiler.condition(query.$expr)
  return { sql, params: compiler.params }
}

const unknown = "CAST(NULL, 'Nullable(UInt8)')"
const comparisonSigns = { $eq: '=', $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' } as const
// Beyond any time there is, and within Int64.
const farthestMicroseconds = 2n ** 62n

class Compiler {
  readonly params: Record<string, string> = {}
  private count = 0

  constructor(
    private readonly fieldOf: (field: string, bind: Bind) => FieldSql,
    private readonly prefix: string,
  ) {}

  /** An operation, or a literal that counts by truthiness. */
  condition(operand: Operand): string {
    if ('$literal' in operand) return operand.$literal ? '1' : '0'
    return this.value(operand).sql
  }

  private value(operand: Operand): Value {
    if ('$literal' in operand) return this.literal(operand.$literal)
    if ('$getField' in operand) {
      const field = this.fieldOf(operand.$getField, this.bind)
      return field.type === 'datetime' ? { type: 'datetime', sql: `toUnixTimestamp64Micro(${field.sql})` } : field
    }
    if ('$convert' in operand) return convert(this.value(operand.$convert.input), operand.$convert.to)
    return { type: 'boolean', sql: this.operation(operand) }
  }

  private literal(literal: Literal): Value {
    if (literal === null) return { type: 'null', sql: "CAST(NULL, 'Nullable(String)')" }
    if (typeof literal === 'string') return { type: 'string', sql: this.bind('String', literal) }
    if (typeof literal === 'boolean') return { type: 'boolean', sql: literal ? '1' : '0' }
    return { type: 'number', sql: this.bind('Float64', floatText(literal)) }
  }

  private operation(operation: Operation): string {
    if ('$and' in operation) return `(${operation.$and.map((each) => this.condition(each)).join(' AND ')})`
    if ('$or' in operation) return `(${operation.$or.map((each) => this.condition(each)).join(' OR ')})`
    if ('$not' in operation) return `(NOT ${this.condition(operation.$not[0])})`
    if ('$in' in operation) return this.isIn(...operation.$in)
    if ('$contains' in operation) return this.contains(operation.$contains)
    if ('$eq' in operation) return this.comparison('$eq', ...operation.$eq)
    if ('$gt' in operation) return this.comparison('$gt', ...operation.$gt)
    if ('$gte' in operation) return this.comparison('$gte', ...operation.$gte)
    if ('$lt' in operation) return this.comparison('$lt', ...operation.$lt)
    return this.comparison('$lte', ...operation.$lte)
  }

  private comparison(operator: keyof typeof comparisonSigns, left: Operand, right: Operand): string {
    const [isLeftNull, isRightNull] = [isNullLiteral(left), isNullLiteral(right)]
    if (operator === '$eq' && (isLeftNull || isRightNull)) {
      const value = this.value(isLeftNull ? right : left)
      return value.type === 'json' ? `(${value.sql} IN ('', 'null'))` : `isNull(${value.sql})`
    }
    if (isLeftNull || isRightNull) return unknown
    const [a, b] = this.alike(left, right)
    return `(${a} ${comparisonSigns[operator]} ${b})`
  }

  /** Both operands as values of one type. */
  private alike(left: Operand, right: Operand): [string, string] {
    const [a, b] = [this.timeOrValue(left, right), this.timeOrValue(right, left)]
    if (a.type === 'json' && b.type !== 'json') return [jsonAs(a.sql, b.type), b.sql]
    if (b.type === 'json' && a.type !== 'json') return [a.sql, jsonAs(b.sql, a.type)]
    if (a.type === 'json') return [`nullIf(${a.sql}, '')`, `nullIf(${b.sql}, '')`]
    return [a.sql, b.sql]
  }

  /** A literal beside a time is a time itself: ISO 8601 text or unix seconds. */
  private timeOrValue(operand: Operand, other: Operand): Value {
    if (!('$literal' in operand) || !this.isTime(other)) return this.value(operand)
    const instant = parseTimeLiteral(operand.$literal)
    if (typeof instant === 'string') return this.value(operand)
    const bounded =
      instant > farthestMicroseconds ? farthestMicroseconds : instant < -farthestMicroseconds ? -farthestMicroseconds : instant
    return { type: 'datetime', sql: this.bind('Int64', String(bounded)) }
  }

  private isTime(operand: Operand): boolean {
    // Asked only for its type: what a field binds on the way must not stay.
    return '$getField' in operand && this.fieldOf(operand.$getField, () => '').type === 'datetime'
  }

  private isIn(left: Operand, items: readonly Operand[]): string {
    if (items.length === 0) return '0'
    if ('$getField' in left || '$literal' in left) {
      return `(${items.map((item) => (isNullLiteral(item) ? unknown : this.comparison('$eq', left, item))).join(' OR ')})`
    }
    // A lambda names the left side, so that it is written once.
    const value = this.value(left)
    const name = `v${(this.count += 1)}`
    const equals = items.map((item) => (isNullLiteral(item) ? unknown : `(${name} = ${this.itemLike(value, item)})`))
    return `arrayElement(arrayMap(${name} -> (${equals.join(' OR ')}), [${value.sql}]), 1)`
  }

  private itemLike(left: Value, item: Operand): string {
    const value = this.value(item)
    return value.type === 'json' ? jsonAs(value.sql, left.type) : value.sql
  }

  private contains({
    input,
    substr,
    case_insensitive: isCaseInsensitive,
  }: Extract<Operation, { $contains: unknown }>['$contains']) {
    if (isNullLiteral(input) || isNullLiteral(substr)) return unknown
    const [text, part] = [input, substr].map((operand) => {
      const value = this.value(operand)
      const sql = value.type === 'json' ? jsonAs(value.sql, 'string') : value.sql
      return isCaseInsensitive ? `lowerUTF8(${sql})` : sql
    })
    return `(position(${text}, ${part}) > 0)`
  }

  private readonly bind: Bind = (type, value) => {
    const name = `${this.prefix}${(this.count += 1)}`
    this.params[name] = value
    return `{${name}:${type}}`
  }
}

function isNullLiteral(operand: Operand): boolean {
  return '$literal' in operand && operand.$literal === null
}

function floatText(number: number): string {
  return Number.isFinite(number) ? String(number) : number > 0 ? 'inf' : '-inf'
}

const number = String.raw`^[+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?$`
const numberText = `'(${number})'`

/** Text that is no number, and text that is neither true nor false, converts to NULL; int cuts the fraction off. */
function convert(input: Value, to: 'double' | 'string' | 'int' | 'bool' | 'exists'): Value {
  const { type, sql } = input
  switch (to) {
    case 'exists':
      return { type: 'boolean', sql: type === 'json' ? `(${sql} NOT IN ('', 'null'))` : `isNotNull(${sql})` }
    case 'string':
      return { type: 'string', sql: asText(input) }
    case 'double':
      return { type: 'number', sql: asNumber(input) }
    case 'int':
      // Adding 0 makes 0 of the -0 that cutting -0.5 leaves.
      return { type: 'number', sql: `(trunc(${asNumber(input)}) + 0)` }
    case 'bool':
      return { type: 'boolean', sql: asBoolean(input) }
  }
}

function asText({ type, sql }: Value): string {
  switch (type) {
    case 'string':
    case 'null':
      return sql
    case 'number':
      return `toString(${sql})`
    case 'boolean':
      return `toString(CAST(${sql}, 'Nullable(Bool)'))`
    case 'datetime':
      return `concat(replaceRegexpOne(replaceOne(toString(fromUnixTimestamp64Micro(${sql}, 'UTC')), ' ', 'T'), '[.]000000$', ''), 'Z')`
    case 'json':
      return `if(startsWith(${sql}, '"'), JSONExtractString(${sql}), nullIf(nullIf(${sql}, 'null'), ''))`
  }
}

function asNumber({ type, sql }: Value): string {
  switch (type) {
    case 'number':
      return sql
    case 'boolean':
      return `toFloat64(${sql})`
    case 'datetime':
      return `(${sql} / 1000000)`
    case 'string':
    case 'null':
      return `toFloat64OrNull(extract(${sql}, ${numberText}))`
    case 'json':
      return `toFloat64OrNull(extract(${asText({ type, sql })}, ${numberText}))`
  }
}

function asBoolean({ type, sql }: Value): string {
  switch (type) {
    case 'boolean':
      return sql
    case 'number':
      return `(${sql} != 0)`
    case 'datetime':
      return `(${sql} = ${sql})`
    case 'string':
    case 'null':
      return `transform(lower(${sql}), ['true', '1', 'false', '0'], [1, 1, 0, 0], NULL)`
    case 'json':
      return asBoolean({ type: 'string', sql: asText({ type, sql }) })
  }
}

/** A JSON value as another type's, NULL where it holds something else. */
function jsonAs(sql: string, type: Value['type']): string {
  switch (type) {
    case 'string':
    case 'null':
    case 'json':
      return `if(startsWith(${sql}, '"'), JSONExtractString(${sql}), NULL)`
    case 'number':
      return `toFloat64OrNull(extract(${sql}, ${numberText}))`
    case 'boolean':
      return `transform(${sql}, ['true', 'false'], [1, 0], NULL)`
    case 'datetime':
      return `toUnixTimestamp64Micro(parseDateTime64BestEffortOrNull(JSONExtractString(${sql}), 6, 'UTC'))`
  }
}
