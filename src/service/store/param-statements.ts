/** The engine's limit for the text of a statement is 262,144 bytes. */
const maxBytes = 250_000

/**
 * `SET` statements that give a session these parameters, for statements that are not bound. Undefined where a value is too
 * long for the text of a statement. They stay until they are set again, and each statement sets all that it names.
 */
export function toParamStatements(params: Readonly<Record<string, unknown>>): string[] | undefined {
  const statements: string[] = []
  let assignments: string[] = []
  let byteCount = 0
  for (const [name, value] of Object.entries(params)) {
    const assignment = `param_${name} = ${quote(toParamText(value))}`
    const bytes = Buffer.byteLength(assignment) + 2
    if (bytes > maxBytes) return undefined
    if (byteCount + bytes > maxBytes) {
      statements.push(toStatement(assignments))
      assignments = []
      byteCount = 0
    }
    assignments.push(assignment)
    byteCount += bytes
  }
  return assignments.length === 0 ? statements : [...statements, toStatement(assignments)]
}

function toStatement(assignments: readonly string[]): string {
  return `SET ${assignments.join(', ')}`
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
