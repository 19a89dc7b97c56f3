import type { Literal } from '../../contract/expression'
import { float64, type Sql, sql } from './sql'

// The values of expressions in SQL, and how each is read as another type.

/** The SQL of a field. That of type `json` gives the value's raw JSON text, '' where there is no value. */
export type FieldSql = { type: 'string' | 'number' | 'datetime' | 'json'; sql: Sql }

/** Numbers are Float64, booleans UInt8, times microseconds since 1970 as Int64; each may be NULL. */
export type TypedSql = {
  type: FieldSql['type'] | 'boolean' | 'null'
  sql: Sql
  /** The value of a literal that is text and can be read as a number. */
  number?: number | undefined
}

const numberPattern = sql`'(^[+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?$)'`
/** The same for a JSON value: a number, or a number in quotes. */
const jsonNumberPattern = sql`'^"?([+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?)"?$'`
export const numberText = /^[+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?$/

export function typedLiteral(literal: Literal): TypedSql {
  if (literal === null) return { type: 'null', sql: sql`CAST(NULL, 'Nullable(String)')` }
  if (typeof literal === 'string') {
    return { type: 'string', sql: sql`${literal}`, number: numberText.test(literal) ? Number(literal) : undefined }
  }
  if (typeof literal === 'boolean') return { type: 'boolean', sql: literal ? sql`1` : sql`0` }
  return { type: 'number', sql: sql`${float64(literal)}` }
}

/** Text that is not a number converts to NULL, and so does text that is neither true nor false; `int` drops the fraction. */
export function convert(input: TypedSql, to: 'double' | 'string' | 'int' | 'bool' | 'exists'): TypedSql {
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

export function asText({ type, sql: value }: TypedSql): Sql {
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

export function asNumber({ type, sql: value }: TypedSql): Sql {
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
export function jsonAs(value: Sql, type: TypedSql['type']): Sql {
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

export function isJsonNumber(value: Sql): Sql {
  return sql`match(${value}, '^[-0-9]')`
}

/** A JSON number is compared as a number with text that is one, and every other value as text. */
export function compareWithText(json: TypedSql, text: TypedSql, toCondition: (json: Sql, text: Sql) => Sql): Sql {
  const asTexts = toCondition(asText(json), text.sql)
  if (text.number === undefined) return asTexts
  return sql`if(${isJsonNumber(json.sql)}, ${toCondition(asNumber(json), sql`${float64(text.number)}`)}, ${asTexts})`
}
