import { parseTimeLiteral, type Literal, type Operand, type Operation, type Query } from '../../contract/expression'
import { StoreError } from './store-error'
import { float64, identifier, int64, joinSql, type Sql, sql, sqlLength, toFloatText } from './sql'

/** The SQL of a field. That of type `json` gives the value's raw JSON text, '' where there is no value. */
export type FieldSql = { type: 'string' | 'number' | 'datetime' | 'json'; sql: Sql }

/** Numbers are Float64, booleans UInt8, times microseconds since 1970 as Int64; each may be NULL. */
type TypedSql = {
  type: FieldSql['type'] | 'boolean' | 'null'
  sql: Sql
  /** The value of a literal that is text and can be read as a number. */
  number?: number | undefined
}

/**
 * Translates a query of the wire into a condition of SQL with the same three-valued logic: NULL is unknown.
 * `querySchema` has validated the query, so the types of its operands fit.
 *
 * Every operand is written once into the text, at any depth: an operand written twice would double the text with every
 * level. That is why conversions avoid `if(isNull(x), ..., x)`. Only fields are written more than once, because nothing
 * is nested in them.
 */
export function compileExpression(query: Query, toFieldSql: (field: string) => FieldSql): Sql {
  const condition = new Compiler(toFieldSql).condition(query.$expr)
  if (sqlLength(condition) > maxConditionLength) throw tooComplex()
  return condition
}

/**
 * In characters of SQL. The engine analyses 100,000 in half a second, and takes no statement of more than 262,144
 * (`max_query_size`). A condition of W&B Weave's own pages has less than 1,000.
 */
const maxConditionLength = 100_000

function tooComplex(): StoreError {
  return new StoreError('too_complex', `The SQL of a query has more than ${maxConditionLength} characters.`)
}

const nullCondition = sql`CAST(NULL, 'Nullable(UInt8)')`
const comparisonSigns = { $eq: sql`=`, $gt: sql`>`, $gte: sql`>=`, $lt: sql`<`, $lte: sql`<=` }
// Beyond every stored time, and within Int64.
const maxMicroseconds = 2n ** 62n

class Compiler {
  private lambdaCount = 0
  private readonly fieldSqls = new Map<string, FieldSql>()

  constructor(private readonly compileField: (field: string) => FieldSql) {}

  /** A field that occurs again is the same fragment, so that the values in it are bound once. */
  private toFieldSql(field: string): FieldSql {
    const known = this.fieldSqls.get(field)
    if (known) return known
    const compiled = this.compileField(field)
    this.fieldSqls.set(field, compiled)
    return compiled
  }

  /** An operation, or a literal that is read as true or false. */
  condition(operand: Operand): Sql {
    if ('$literal' in operand) return operand.$literal ? sql`1` : sql`0`
    return this.typed(operand).sql
  }

  private typed(operand: Operand): TypedSql {
    if ('$literal' in operand) return typedLiteral(operand.$literal)
    if ('$getField' in operand) {
      const field = this.toFieldSql(operand.$getField)
      return field.type === 'datetime' ? { type: 'datetime', sql: sql`toUnixTimestamp64Micro(${field.sql})` } : field
    }
    if ('$convert' in operand) return convert(this.typed(operand.$convert.input), operand.$convert.to)
    return { type: 'boolean', sql: this.operation(operand) }
  }

  private operation(operation: Operation): Sql {
    if ('$and' in operation)
      return sql`(${joinSql(
        operation.$and.map((each) => this.condition(each)),
        ' AND ',
      )})`
    if ('$or' in operation)
      return sql`(${joinSql(
        operation.$or.map((each) => this.condition(each)),
        ' OR ',
      )})`
    if ('$not' in operation) return sql`(NOT ${this.condition(operation.$not[0])})`
    if ('$in' in operation) return this.isIn(...operation.$in)
    if ('$contains' in operation) return this.contains(operation.$contains)
    if ('$eq' in operation) return this.comparison('$eq', ...operation.$eq)
    if ('$gt' in operation) return this.comparison('$gt', ...operation.$gt)
    if ('$gte' in operation) return this.comparison('$gte', ...operation.$gte)
    if ('$lt' in operation) return this.comparison('$lt', ...operation.$lt)
    return this.comparison('$lte', ...operation.$lte)
  }

  private comparison(operator: keyof typeof comparisonSigns, left: Operand, right: Operand): Sql {
    const [isLeftNull, isRightNull] = [isNullLiteral(left), isNullLiteral(right)]
    if (operator === '$eq' && (isLeftNull || isRightNull)) {
      const value = this.typed(isLeftNull ? right : left)
      return value.type === 'json' ? sql`(${value.sql} IN ('', 'null'))` : sql`isNull(${value.sql})`
    }
    if (isLeftNull || isRightNull) return nullCondition
    return this.compare(this.timeOrTyped(left, right), operator, this.timeOrTyped(right, left))
  }

  private compare(a: TypedSql, operator: keyof typeof comparisonSigns, b: TypedSql): Sql {
    const sign = comparisonSigns[operator]
    if (a.type === 'json' && b.type === 'json') return this.compareJson(a, sign, b)
    if (a.type === 'json' && b.type === 'string') return compareWithText(a, b, (value, text) => sql`(${value} ${sign} ${text})`)
    if (a.type === 'string' && b.type === 'json') return compareWithText(b, a, (value, text) => sql`(${text} ${sign} ${value})`)
    if (a.type === 'json') return sql`(${jsonAs(a.sql, b.type)} ${sign} ${b.sql})`
    if (b.type === 'json') return sql`(${a.sql} ${sign} ${jsonAs(b.sql, a.type)})`
    return sql`(${a.sql} ${sign} ${b.sql})`
  }

  /** Each row decides. The parameters of a lambda name the values, so that their text is written once. */
  private compareJson(left: TypedSql, sign: Sql, right: TypedSql): Sql {
    const [a, b] = [this.newName(), this.newName()]
    const [x, y] = [asNumber({ type: 'json', sql: a }), asNumber({ type: 'json', sql: b })]
    const areNumbers = sql`(${isJsonNumber(a)} OR ${isJsonNumber(b)}) AND isNotNull(${x}) AND isNotNull(${y})`
    const texts = sql`${asText({ type: 'json', sql: a })} ${sign} ${asText({ type: 'json', sql: b })}`
    return sql`arrayElement(arrayMap((${a}, ${b}) -> if(${areNumbers}, ${x} ${sign} ${y}, ${texts}), [${left.sql}], [${right.sql}]), 1)`
  }

  private newName(): Sql {
    return identifier(`v${(this.lambdaCount += 1)}`)
  }

  /** A literal that is compared with a time is a time too: ISO 8601 text or seconds since 1970. */
  private timeOrTyped(operand: Operand, other: Operand): TypedSql {
    if (!('$literal' in operand) || !this.isTime(other)) return this.typed(operand)
    const instant = toMicroseconds(operand.$literal)
    return instant === undefined ? this.typed(operand) : { type: 'datetime', sql: sql`${int64(instant)}` }
  }

  private isTime(operand: Operand): boolean {
    return '$getField' in operand && this.toFieldSql(operand.$getField).type === 'datetime'
  }

  /** Literals of one type are one list, bound as one value: the text of the statement does not grow with their number. */
  private isIn(left: Operand, items: readonly Operand[]): Sql {
    if (items.length === 0) return sql`0`
    const value = this.typed(left)
    const isWrittenAgain = value.type !== 'json' && ('$getField' in left || '$literal' in left)
    // The parameter of a lambda names any other left side, so that its text is written once.
    const named: TypedSql = isWrittenAgain ? value : { type: value.type, sql: this.newName() }
    const { conditions, others } = matchLiterals(named, items)
    const equals = [
      ...conditions,
      ...others.map((item) => {
        if (isNullLiteral(item)) return nullCondition
        return isWrittenAgain ? this.comparison('$eq', left, item) : this.compare(named, '$eq', this.typed(item))
      }),
    ]
    const condition = sql`(${joinSql(equals, ' OR ')})`
    return isWrittenAgain ? condition : sql`arrayElement(arrayMap(${named.sql} -> ${condition}, [${value.sql}]), 1)`
  }

  private contains({
    input,
    substr,
    case_insensitive: ignoresCase,
  }: Extract<Operation, { $contains: unknown }>['$contains']): Sql {
    if (isNullLiteral(input) || isNullLiteral(substr)) return nullCondition
    const toText = (operand: Operand) => {
      const text = asText(this.typed(operand))
      return ignoresCase ? sql`lowerUTF8(${text})` : text
    }
    return sql`(position(${toText(input)}, ${toText(substr)}) > 0)`
  }
}

function typedLiteral(literal: Literal): TypedSql {
  if (literal === null) return { type: 'null', sql: sql`CAST(NULL, 'Nullable(String)')` }
  if (typeof literal === 'string') {
    return { type: 'string', sql: sql`${literal}`, number: numberText.test(literal) ? Number(literal) : undefined }
  }
  if (typeof literal === 'boolean') return { type: 'boolean', sql: literal ? sql`1` : sql`0` }
  return { type: 'number', sql: sql`${float64(literal)}` }
}

function isNullLiteral(operand: Operand): boolean {
  return '$literal' in operand && operand.$literal === null
}

/**
 * The conditions that a value is equal to one of the literals among the items, and the other items, which are compared with
 * it one by one.
 */
function matchLiterals(value: TypedSql, items: readonly Operand[]): { conditions: Sql[]; others: Operand[] } {
  const { type } = value
  const texts = new Set<string>()
  const numbers = new Set<number>()
  const instants = new Set<bigint>()
  const others = new Map<unknown, Operand>()
  for (const item of items) {
    const literal = '$literal' in item ? item.$literal : undefined
    const instant = type === 'datetime' ? toMicroseconds(literal) : undefined
    if (instant !== undefined) instants.add(instant)
    else if (typeof literal === 'string' && (type === 'string' || type === 'json')) texts.add(literal)
    else if (typeof literal === 'number' && (type === 'number' || type === 'json')) numbers.add(literal)
    else others.set(literal === undefined ? item : literal, item)
  }
  const conditions: Sql[] = []
  if (texts.size > 0) conditions.push(type === 'json' ? jsonIsOneOf(value, [...texts]) : isOneOfTexts(value.sql, [...texts]))
  if (numbers.size > 0) conditions.push(isOneOfNumbers(asNumber(value), [...numbers]))
  if (instants.size > 0) conditions.push(isOneOfInstants(value.sql, [...instants]))
  return { conditions, others: [...others.values()] }
}

// IN finds NULL in no list, and then it is false. The comparison with the first value makes that NULL, as `=` does.

function isOneOfTexts(value: Sql, texts: readonly string[]): Sql {
  const [first = ''] = texts
  return texts.length === 1 ? sql`(${value} = ${first})` : sql`(${value} = ${first} OR ${value} IN ${texts})`
}

/** The binding takes lists of text only. */
function isOneOfNumbers(value: Sql, numbers: readonly number[]): Sql {
  const [first = 0] = numbers
  const list = sql`arrayMap(x -> toFloat64(x), ${numbers.map((each) => toFloatText(each))})`
  return numbers.length === 1 ? sql`(${value} = ${float64(first)})` : sql`(${value} = ${float64(first)} OR ${value} IN (${list}))`
}

function isOneOfInstants(value: Sql, instants: readonly bigint[]): Sql {
  const [first = 0n] = instants
  const list = sql`arrayMap(x -> toInt64(x), ${instants.map(String)})`
  return instants.length === 1 ? sql`(${value} = ${int64(first)})` : sql`(${value} = ${int64(first)} OR ${value} IN (${list}))`
}

/** As `compareWithText` does for one text: a JSON number is among the numbers that the texts are. */
function jsonIsOneOf(json: TypedSql, texts: readonly string[]): Sql {
  const numbers = new Set(texts.filter((text) => numberText.test(text)).map(Number))
  const isText = isOneOfTexts(asText(json), texts)
  return numbers.size > 0
    ? sql`if(${isJsonNumber(json.sql)}, ${isOneOfNumbers(asNumber(json), [...numbers])}, ${isText})`
    : isText
}

/** Undefined where the literal is no time. */
function toMicroseconds(literal: Literal | undefined): bigint | undefined {
  const instant = literal === undefined ? undefined : parseTimeLiteral(literal)
  if (typeof instant !== 'bigint') return undefined
  return instant > maxMicroseconds ? maxMicroseconds : instant < -maxMicroseconds ? -maxMicroseconds : instant
}

const numberPattern = sql`'(^[+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?$)'`
/** The same for a JSON value: a number, or a number in quotes. */
const jsonNumberPattern = sql`'^"?([+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?)"?$'`
const numberText = /^[+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?$/

/** Text that is not a number converts to NULL, and so does text that is neither true nor false; `int` drops the fraction. */
function convert(input: TypedSql, to: 'double' | 'string' | 'int' | 'bool' | 'exists'): TypedSql {
  const { type, sql: value } = input
  switch (to) {
    case 'exists':
      return { type: 'boolean', sql: type === 'json' ? sql`(${value} NOT IN ('', 'null'))` : sql`isNotNull(${value})` }
    case 'string':
      return { type: 'string', sql: asText(input) }
    case 'double':
      return { type: 'number', sql: asNumber(input) }
    case 'int':
      // trunc(-0.5) is -0; adding 0 makes it 0.
      return { type: 'number', sql: sql`(trunc(${asNumber(input)}) + 0)` }
    case 'bool':
      return { type: 'boolean', sql: asBoolean(input) }
  }
}

function asText({ type, sql: value }: TypedSql): Sql {
  switch (type) {
    case 'string':
    case 'null':
      return value
    case 'number':
      return sql`toString(${value})`
    case 'boolean':
      return sql`toString(CAST(${value}, 'Nullable(Bool)'))`
    case 'datetime':
      return sql`concat(replaceRegexpOne(replaceOne(toString(fromUnixTimestamp64Micro(${value}, 'UTC')), ' ', 'T'), '[.]000000$', ''), 'Z')`
    case 'json':
      return sql`if(startsWith(${value}, '"'), JSONExtractString(${value}), nullIf(nullIf(${value}, 'null'), ''))`
  }
}

function asNumber({ type, sql: value }: TypedSql): Sql {
  switch (type) {
    case 'number':
      return value
    case 'boolean':
      return sql`toFloat64(${value})`
    case 'datetime':
      return sql`(${value} / 1000000)`
    case 'string':
    case 'null':
      return sql`toFloat64OrNull(extract(${value}, ${numberPattern}))`
    case 'json':
      return sql`toFloat64OrNull(extract(${value}, ${jsonNumberPattern}))`
  }
}

function asBoolean({ type, sql: value }: TypedSql): Sql {
  switch (type) {
    case 'boolean':
      return value
    case 'number':
      return sql`(${value} != 0)`
    case 'datetime':
      return sql`(${value} = ${value})`
    case 'string':
    case 'null':
      return sql`transform(lower(${value}), ['true', '1', 'false', '0'], [1, 1, 0, 0], NULL)`
    case 'json':
      return asBoolean({ type: 'string', sql: asText({ type, sql: value }) })
  }
}

/** Reads a JSON value as the type that it is compared with: NULL where it cannot be read so. */
function jsonAs(value: Sql, type: TypedSql['type']): Sql {
  switch (type) {
    case 'string':
    case 'null':
    case 'json':
      return asText({ type: 'json', sql: value })
    case 'number':
      return asNumber({ type: 'json', sql: value })
    case 'boolean':
      return sql`transform(${value}, ['true', 'false'], [1, 0], NULL)`
    case 'datetime':
      return sql`toUnixTimestamp64Micro(parseDateTime64BestEffortOrNull(JSONExtractString(${value}), 6, 'UTC'))`
  }
}

function isJsonNumber(value: Sql): Sql {
  return sql`match(${value}, '^[-0-9]')`
}

/** A JSON number is compared as a number with text that is one, and every other value as text. */
function compareWithText(json: TypedSql, text: TypedSql, toCondition: (json: Sql, text: Sql) => Sql): Sql {
  const asTexts = toCondition(asText(json), text.sql)
  if (text.number === undefined) return asTexts
  return sql`if(${isJsonNumber(json.sql)}, ${toCondition(asNumber(json), sql`${float64(text.number)}`)}, ${asTexts})`
}
