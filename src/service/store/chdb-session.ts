import type { Session } from 'chdb'
import type { EngineSession } from './engine-session'

/**
 * A session of the chdb package. Starting a SELECT blocks the thread: `queryStreamBind` binds the values, plans the statement,
 * and for an IN with a subquery runs the subquery too, for the index. `queryBindAsync` does not, but runs one statement of the
 * process at a time.
 */
export function createChdbSession(session: Session): EngineSession {
  return {
    get isOpen() {
      return session.open
    },
    run: async (statement, params = {}) => {
      await (Object.keys(params).length > 0
        ? session.queryBindAsync(statement, toBoundParams(params))
        : session.queryAsync(statement, { format: 'JSONEachRow' }))
    },
    stream: async (statement, params) => {
      const stream = session.queryStreamBind(statement, toBoundParams(params), { format: 'JSONEachRow' })
      const chunks = stream[Symbol.asyncIterator]()
      return {
        next: async () => {
          const chunk = await chunks.next()
          // A copy: the bytes belong to the engine, which frees them.
          return chunk.done ? undefined : new Uint8Array(chunk.value.raw())
        },
        cancel: () => stream.cancel(),
      }
    },
    insert: async ({ table, lines, settings }) => {
      const values = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength)
      await session.insert({ table, values, format: 'JSONEachRow', settings: { ...settings } })
    },
    close: () => session.close(),
  }
}

/** Numbers are bound as text: the binding rejects whole doubles above 2^53, which a price or a limit may be. */
function toBoundParams(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  )
}
