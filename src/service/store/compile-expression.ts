import type { Operand, Operation, Query } from '../../contract/expression'
import {
  asNumber,
  asText,
  compareWithText,
  convert,
  type FieldSql,
  isJsonNumber,
  jsonAs,
  typedLiteral,
  type TypedSql,
} from './expression-values'
import { matchLiterals, toMicroseconds } from './match-literals'
import { StoreError } from './store-error'
import { identifier, int64, joinSql, type Sql, sql, sqlLength } from './sql'

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

function isNullLiteral(operand: Operand): boolean {
  return '$literal' in operand && operand.$literal === null
}
