import type { Session } from 'chdb'
import type { BoundParams, EngineSession, RowStream } from './engine-session'
import { toParamStatements } from './param-statements'

/**
 * A session of the chdb package. Starting a stream blocks the thread: `queryStreamBind` binds the values, plans the statement,
 * and for an IN with a subquery runs the subquery too, for the index. `queryAsync` does not, but has the whole result in memory
 * and binds no values, so the same text sets them first. `queryBindAsync` binds them, but runs one statement of the process at a
 * time: it is only for values that are too long to be set.
 */
export function createChdbSession(session: Session): EngineSession {
  const stream = (statement: string, params: BoundParams) => {
    const rows = session.queryStreamBind(statement, toBoundParams(params), { format: 'JSONEachRow' })
    const chunks = rows[Symbol.asyncIterator]()
    return {
      next: async () => {
        const chunk = await chunks.next()
        // A copy: the bytes belong to the engine, which frees them.
        return chunk.done ? undefined : new Uint8Array(chunk.value.raw())
      },
      cancel: () => rows.cancel(),
    }
  }
  /** Undefined where a value is too long. */
  const toText = (statement: string, params: BoundParams) => {
    const assignments = toParamStatements(params)
    return assignments && [...assignments, statement].join(';\n')
  }
  return {
    get isOpen() {
      return session.open
    },
    run: async (statement, params = {}) => {
      const text = toText(statement, params)
      if (text === undefined) await session.queryBindAsync(statement, toBoundParams(params))
      else await session.queryAsync(text, { format: 'JSONEachRow' })
    },
    stream: async (statement, params) => stream(statement, params),
    collect: async (statement, params) => {
      const text = toText(statement, params)
      if (text === undefined) return await readAll(stream(statement, params))
      const result = await session.queryAsync(text, { format: 'JSONEachRow' })
      return new Uint8Array(result.bytes())
    },
    insert: async ({ table, lines, settings }) => {
      const values = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength)
      await session.insert({ table, values, format: 'JSONEachRow', settings: { ...settings } })
    },
    close: () => session.close(),
  }
}

async function readAll(rows: RowStream): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for (let chunk = await rows.next(); chunk; chunk = await rows.next()) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}

/** Numbers are bound as text: the binding rejects whole doubles above 2^53, which a price or a limit may be. */
function toBoundParams(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  )
}
