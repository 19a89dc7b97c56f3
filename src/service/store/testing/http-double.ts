import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Session } from 'chdb'
import { createChdbSession } from '../chdb-session'
import { SessionPool } from '../session-pool'

/**
 * A TEST DOUBLE of a ClickHouse server, not a server: the part of its HTTP interface that the client uses, over sessions of
 * the embedded engine on `folder`. Replication, other versions and exceptions inside a response body are missing.
 */
export async function openHttpDouble(folder: string, user: { username: string; password: string }) {
  const pool = new SessionPool(8, async () => createChdbSession(new Session(folder)))
  const authorization = `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`
  const seen: { settings: URLSearchParams; statement: string }[] = []

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { searchParams } = new URL(request.url ?? '/', 'http://double')
    if (request.headers.authorization !== authorization) {
      response.writeHead(403).end('Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)')
      return
    }
    const body = await readBody(request)
    const sqlInUrl = searchParams.get('query')
    const sql = sqlInUrl ?? body.toString()
    seen.push({ settings: searchParams, statement: sql })
    const session = await pool.acquire()
    let state: 'clean' | 'dirty' = 'dirty'
    try {
      const params = readParams(searchParams)
      const table = /^INSERT INTO (\w+) FORMAT JSONEachRow$/.exec(sql.trim())?.[1]
      if (table && sqlInUrl) {
        const settings = { async_insert: searchParams.get('async_insert') ?? '', date_time_input_format: 'best_effort' }
        await session.insert({ table, lines: body, settings })
      } else if (/^\s*SELECT/.test(sql)) {
        const rows = await session.stream(sql, params)
        for (let chunk = await rows.next(); chunk; chunk = await rows.next()) response.write(chunk)
      } else await session.run(sql, params)
      state = 'clean'
      response.end()
    } catch (error) {
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end(error instanceof Error ? error.message : String(error))
    } finally {
      pool.release(session, state)
    }
  }

  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://${encodeURIComponent(user.username)}:${encodeURIComponent(user.password)}@127.0.0.1:${port}/default`,
    seen,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await pool.close()
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array)) // node types the chunks of a byte stream any
  return Buffer.concat(chunks)
}

/** The parameters in the URL as values again: the binding of the embedded engine escapes them itself. */
function readParams(search: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    [...search].flatMap(([name, text]) => (name.startsWith('param_') ? [[name.slice('param_'.length), parseParam(text)]] : [])),
  )
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '0': '\0' }

function parseParam(text: string): unknown {
  if (text === '\\N') return null
  const list = /^\[(.*)\]$/s.exec(text)?.[1]
  if (list === undefined) return unescapeText(text)
  return [...list.matchAll(/'((?:[^'\\]|\\.)*)'/gs)].map(([, item = '']) => unescapeText(item))
}

function unescapeText(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter)
}
