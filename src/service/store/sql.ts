/** Types of ClickHouse that a value can be bound as. */
type ParamType = 'String' | 'Array(String)' | 'UInt64' | 'Int64' | 'Float64' | "DateTime64(6, 'UTC')"
type ParamValue = string | number | readonly string[]

/** A value of a statement, with the type it is bound as. */
class Param {
  constructor(
    readonly type: ParamType,
    readonly value: ParamValue,
  ) {}
}

class SqlFragment {
  constructor(
    readonly texts: readonly string[],
    readonly values: readonly (SqlFragment | Param)[],
  ) {}
}

/**
 * A statement, or a fragment of one, with the values it binds. Only this module makes one, so its text is written in this
 * program and everything from outside is bound.
 */
export type Sql = SqlFragment

/** Text and lists of text are bound as they are; numbers and times say their type: `uint64(limit)`. */
export type SqlValue = Sql | Param | string | readonly string[]

/**
 * Writes SQL. Fragments nest, and each value becomes a parameter; parameters are numbered when the whole is rendered, so
 * fragments need not agree on names.
 *
 * @example
 * const isRecent = sql`started_at > ${dateTime('2026-01-31 09:30:00.000000')}`
 * sql`SELECT id FROM calls WHERE project_id = ${projectId} AND ${isRecent} AND id IN ${ids} LIMIT ${uint64(10)}`
 */
export function sql(texts: TemplateStringsArray, ...values: readonly SqlValue[]): Sql {
  return new SqlFragment(
    texts,
    values.map((value) => {
      if (value instanceof SqlFragment || value instanceof Param) return value
      return typeof value === 'string' ? new Param('String', value) : new Param('Array(String)', value)
    }),
  )
}

export function isSql(value: object): value is Sql {
  return value instanceof SqlFragment
}

/** Joins fragments; `nothing` stands for an empty list. */
export function joinSql(
  parts: readonly Sql[],
  separator: ', ' | ' AND ' | ' OR ' | ' UNION ALL ' | ' + ' | '\n',
  nothing: Sql = sql``,
): Sql {
  if (parts.length === 0) return nothing
  return new SqlFragment(['', ...parts.slice(1).map(() => separator), ''], parts)
}

/** A name of a column or a table. Throws where the name would need quotes: such names come from outside. */
export function identifier(name: string): Sql {
  if (!/^[a-z_][a-z0-9_]*$/i.test(name)) throw new Error(`Not a name for SQL: ${JSON.stringify(name)}`)
  return new SqlFragment([name], [])
}

/**
 * The column, in a condition that no index is asked for. With 100,000 values, which may come from a subquery, an index of
 * words takes longer than a statement may.
 */
export function withoutIndex(column: Sql): Sql {
  return sql`identity(${column})`
}

/** A whole number from 0, as UInt64. */
export function uint64(value: number): Param {
  return new Param('UInt64', value)
}

/** A whole number, as Int64. */
export function int64(value: bigint): Param {
  return new Param('Int64', String(value))
}

/** A number, as Float64. */
export function float64(value: number): Param {
  return new Param('Float64', toFloatText(value))
}

/** A number as text that the engine reads. */
export function toFloatText(value: number): string {
  return Number.isFinite(value) ? String(value) : value > 0 ? 'inf' : '-inf'
}

/** A time as 'YYYY-MM-DD hh:mm:ss.ffffff' in UTC, to the microsecond. */
export function dateTime(value: string): Param {
  return new Param("DateTime64(6, 'UTC')", value)
}

/** About how many characters the text of a fragment has. */
export function sqlLength({ texts, values }: Sql): number {
  const maxParamLength = toListText('p1000').length
  const ofTexts = texts.reduce((sum, text) => sum + text.length, 0)
  return values.reduce((sum, value) => sum + (value instanceof SqlFragment ? sqlLength(value) : maxParamLength), ofTexts)
}

/** In no text that people write. Lists with a text that has it are bound as they are. */
const listSeparator = '\u001f'
/** Shorter lists take as long either way. */
const minJoinedTexts = 100

/** To bind 5000 ids as one text takes the engine 6 ms, as a list 13. */
function toListText(name: string): string {
  return `splitByChar('\\x1f', {${name}:String})`
}

/** The text for the engine, and its parameters p1, p2, ... A value that occurs again is bound once. */
export function renderSql(statement: Sql): { text: string; params: Record<string, ParamValue> } {
  const params: Record<string, ParamValue> = {}
  const nameByValue = new Map<unknown, string>()
  const bind = ({ type, value }: Param): string => {
    // Lists may be large, so only the same object counts as the same list.
    const key = typeof value === 'object' ? value : `${type} ${value}`
    const name = nameByValue.get(key) ?? `p${nameByValue.size + 1}`
    nameByValue.set(key, name)
    const isJoined =
      typeof value === 'object' && value.length >= minJoinedTexts && !value.some((item) => item.includes(listSeparator))
    params[name] = isJoined ? value.join(listSeparator) : value
    return isJoined ? toListText(name) : `{${name}:${type}}`
  }
  const render = ({ texts, values }: Sql): string =>
    texts
      .map((text, index) => {
        const value = values[index]
        return value === undefined ? text : text + (value instanceof SqlFragment ? render(value) : bind(value))
      })
      .join('')
  return { text: render(statement), params }
}
