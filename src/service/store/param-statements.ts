/** The engine's limit for the text of a statement is 262,144 bytes. A character of UTF-8 has three at most, or four for two. */
const maxTextLength = 80_000

/**
 * `SET` statements that give a session these parameters, for statements that are not bound. Undefined where a value is too
 * long for the text of a statement. They stay until they are set again, and each statement sets all that it names.
 */
export function toParamStatements(params: Readonly<Record<string, unknown>>): string[] | undefined {
  const statements: string[] = []
  let assignments = ''
  for (const [name, value] of Object.entries(params)) {
    const assignment = `param_${name} = ${quote(toParamText(value))}`
    if (assignment.length > maxTextLength) return undefined
    if (assignments !== '' && assignments.length + assignment.length > maxTextLength) {
      statements.push(`SET ${assignments}`)
      assignments = ''
    }
    assignments += `${assignments === '' ? '' : ', '}${assignment}`
  }
  return assignments === '' ? statements : [...statements, `SET ${assignments}`]
}

/** A list as the engine writes it, any other value as a field of its tab-separated formats. */
function toParamText(value: unknown): string {
  return Array.isArray(value) ? `[${value.map((item) => quote(String(item))).join(',')}]` : escapeText(String(value))
}

// Of strings of ClickHouse: https://clickhouse.com/docs/sql-reference/syntax#string
const escapeByCharacter: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

function quote(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what must be escaped
  return `'${text.replaceAll(/[\\'\0\b\f\n\r\t]/g, (character) => escapeByCharacter[character] ?? character)}'`
}

function escapeText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what must be escaped
  return text.replaceAll(/[\\\0\b\f\n\r\t]/g, (character) => escapeByCharacter[character] ?? character)
}
