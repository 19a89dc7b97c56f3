import { parseTimeLiteral, type Literal, type Operand } from '../../contract/expression'
import { asNumber, asText, isJsonNumber, numberText, type TypedSql } from './expression-values'
import { float64, int64, type Sql, sql, toFloatText } from './sql'

/**
 * The conditions that a value is equal to one of the literals among the items, and the other items, which are compared with
 * it one by one.
 */
export function matchLiterals(value: TypedSql, items: readonly Operand[]): { conditions: Sql[]; others: Operand[] } {
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

// Beyond every stored time, and within Int64.
const maxMicroseconds = 2n ** 62n

/** Undefined where the literal is no time. */
export function toMicroseconds(literal: Literal | undefined): bigint | undefined {
  const instant = literal === undefined ? undefined : parseTimeLiteral(literal)
  if (typeof instant !== 'bigint') return undefined
  return instant > maxMicroseconds ? maxMicroseconds : instant < -maxMicroseconds ? -maxMicroseconds : instant
}
