import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Session } from 'chdb'
import { SessionPool } from '../session-pool'

/**
 * A TEST DOUBLE of a ClickHouse server, not a server: so much of its HTTP interface as the client uses, over sessions of
 * the embedded engine on `folder`. What a real server does otherwise (replication, its versions, its exceptions inside a
 * body) is not in it.
 */
export async function openHttpDouble(folder: string, user: { username: string; password: string }) {
  const pool = new SessionPool({ working: 8, most: 8 }, () => new Session(folder))
  const authorization = `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`
  const seen: { settings: URLSearchParams; sql: string }[] = []

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { searchParams } = new URL(request.url ?? '/', 'http://double')
    if (request.headers.authorization !== authorization) {
      response.writeHead(403).end('Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)')
      return
    }
    const body = await bodyOf(request)
    const sqlOfAddress = searchParams.get('query')
    const sql = sqlOfAddress ?? body.toString()
    seen.push({ settings: searchParams, sql })
    const session = await pool.acquire()
    let state: 'clean' | 'suspect' = 'suspect'
    try {
      const params = paramsOf(searchParams)
      const table = /^INSERT INTO (\w+) FORMAT JSONEachRow$/.exec(sql.trim())?.[1]
      if (table && sqlOfAddress) {
        const settings = { async_insert: searchParams.get('async_insert') ?? '', date_time_input_format: 'best_effort' }
        await session.insert({ table, values: body, format: 'JSONEachRow', settings })
      } else if (/^\s*SELECT/.test(sql)) {
        for await (const chunk of session.queryStreamBind(sql, params)) response.write(chunk.raw())
      } else if (Object.keys(params).length > 0) await session.queryBindAsync(sql, params)
      else await session.queryAsync(sql)
      state = 'clean'
      response.end()
    } catch (error) {
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end(error instanceof Error ? error.message : String(error))
    } finally {
      pool.release(session, state)
    }
  }

  const server = createServer((request, response) => void answer(request, response))
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

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array)) // node types the chunks of a byte stream any
  return Buffer.concat(chunks)
}

/** What the client wrote into the address, as values again: the binding of the embedded engine escapes them itself. */
function paramsOf(search: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries(
    [...search].flatMap(([name, text]) => (name.startsWith('param_') ? [[name.slice('param_'.length), valueOf(text)]] : [])),
  )
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '0': '\0' }

function valueOf(text: string): unknown {
  if (text === '\\N') return null
  const list = /^\[(.*)\]$/s.exec(text)?.[1]
  if (list === undefined) return unescaped(text)
  return [...list.matchAll(/'((?:[^'\\]|\\.)*)'/gs)].map(([, item = '']) => unescaped(item))
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, letter: string) => escapes[letter] ?? letter)
}
