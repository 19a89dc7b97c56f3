import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { isMatch, type JsonObject, type ListRequest, selectRows, usedOperators } from './foreign-query'

/** A fixed reply. 'hang': the connection stays open and nothing is ever sent. */
export type Reply = { status: number; body?: string; type?: string; headers?: Record<string, string> } | 'hang'

export type Operation = 'costs' | 'threads' | 'queues'

/** How a service differs from one that does all that the requirements describe, and nothing else. */
export type ForeignVariant = {
  name: string
  /** Headers that other origins may send; 'none': no CORS at all. By default all that are asked for. */
  cors?: 'none' | readonly string[]
  /** The reply to every route but the three operations; by default 404 with JSON. */
  otherRoutes?: Reply
  /** What it has beside the three operations, by method and path. */
  moreRoutes?: Readonly<Record<string, Reply>>
  /** A reply in place of an operation's own. */
  replies?: Partial<Record<Operation, Reply>>
  /** The fields of requests that it accepts and does not apply. */
  ignores?: readonly ('limit' | 'offset' | 'sort_by' | 'query' | 'filter')[]
  /** It sends at most this many rows, whatever the request says. */
  limitCap?: number
  /** It responds with 422 to limits outside these bounds. */
  minLimit?: number
  maxLimit?: number
  /** Operators of the query language that it responds to with 422. */
  unknownOperators?: readonly string[]
  costs?: readonly unknown[]
  threads?: readonly unknown[]
  /** The form of the threads' body; JSON lines by default. */
  threadsForm?: 'lines' | 'array' | 'object'
  /** What is sent in place of the threads' body. */
  changeThreadsBody?: (body: string) => string
  /** The threads' body is sent in pieces of so many bytes, with pauses between them. */
  pieces?: { bytes: number; pauseMs: number }
  /** The threads' connection ends after so many bytes of the body. */
  cutAfterBytes?: number
}

export type ForeignRequest = { method: string; path: string; headers: IncomingMessage['headers']; body: JsonObject }

const operations: Readonly<Record<string, Operation>> = {
  '/cost/query': 'costs',
  '/threads/stream_query': 'threads',
  '/annotation_queues': 'queues',
}

const fieldsOf: Record<Operation, readonly string[]> = {
  costs: ['project_id', 'fields', 'query', 'sort_by', 'limit', 'offset'],
  threads: ['project_id', 'filter', 'sort_by', 'limit', 'offset'],
  queues: ['project_id', 'name', 'description', 'scorer_refs'],
}

/**
 * A service that is not Spool: the three operations of the requirements, written apart from Spool's own service, and the
 * ways in which real services differ.
 *
 * @example
 * const foreign = await ForeignService.start({ name: 'caps limits', limitCap: 50 })
 */
export class ForeignService {
  /** Every request except CORS preflights, in the order of arrival. */
  readonly requests: ForeignRequest[] = []
  readonly createdQueues: JsonObject[] = []

  static readonly username = 'api'
  static readonly password = 'foreign-secret'

  private constructor(
    readonly url: string,
    private readonly variant: ForeignVariant,
    readonly close: () => void,
  ) {}

  static async start(variant: ForeignVariant): Promise<ForeignService> {
    const server = createServer((request, response) => {
      service.respond(request, response).catch(() => response.destroy())
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    const { port } = server.address() as AddressInfo // it listens on TCP
    const service = new ForeignService(`http://127.0.0.1:${port}`, variant, () => {
      server.closeAllConnections()
      server.close()
    })
    return service
  }

  /** The ids of the threads that can be read: one without an id is no thread. */
  get readableThreads(): unknown[] {
    const { threads = [] } = this.variant
    return threads.map((thread) => (thread as { thread_id?: unknown }).thread_id).filter((id) => id !== undefined && id !== null)
  }

  get isSilentElsewhere(): boolean {
    return this.variant.otherRoutes === 'hang'
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { variant } = this
    const { method = '', url = '/', headers } = request
    const text = await readText(request)
    if (variant.cors !== 'none') {
      const allowed = variant.cors?.join(', ') ?? headers['access-control-request-headers'] ?? '*'
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-allow-headers', allowed)
      response.setHeader('access-control-allow-methods', 'GET, POST')
    }
    if (method === 'OPTIONS') return send(response, { status: variant.cors === 'none' ? 405 : 204 })
    const path = url.split('?')[0] ?? url
    const body = parseObject(text)
    this.requests.push({ method, path, headers, body })
    const operation = method === 'POST' ? operations[path] : undefined
    if (!operation) {
      return send(response, variant.moreRoutes?.[`${method} ${path}`] ?? variant.otherRoutes ?? toProblem(404, 'Not Found'))
    }
    const fixed = variant.replies?.[operation]
    if (fixed) return send(response, fixed)
    if (headers.authorization !== authorization) return send(response, toProblem(401, 'Invalid credentials'))
    const refused = this.validate(operation, body)
    if (refused !== undefined) return send(response, toProblem(422, refused))
    if (operation === 'queues') {
      this.createdQueues.push(body)
      return send(response, toJson({ id: `queue-${this.createdQueues.length}` }))
    }
    if (operation === 'costs') return send(response, toJson({ results: this.selectCosts(body) }))
    return this.sendThreads(response, body)
  }

  /** What is wrong with a request: the body is strict, as the requirements describe it. */
  private validate(operation: Operation, body: JsonObject): string | undefined {
    const { minLimit = 0, maxLimit = Infinity, unknownOperators = [] } = this.variant
    const unknown = Object.keys(body).find((name) => !fieldsOf[operation].includes(name))
    if (unknown !== undefined) return `Extra inputs are not permitted: ${unknown}`
    if (!/^[^/]+\/[^/]+$/.test(String(body['project_id']))) return 'project_id must be entity/project'
    if (operation === 'queues') {
      const isQueue = typeof body['name'] === 'string' && Array.isArray(body['scorer_refs'])
      return isQueue ? undefined : 'Field required: name, scorer_refs'
    }
    const { limit, query } = body as ListRequest // JSON of this operation; only what is used is looked at
    if (limit !== undefined && (limit < minLimit || limit > maxLimit)) {
      return `limit must be between ${minLimit} and ${maxLimit}`
    }
    const operator = usedOperators(query).find((name) => unknownOperators.includes(name))
    return operator && `Unknown operator ${operator}`
  }

  private selectCosts(body: ListRequest): readonly unknown[] {
    const { costs = [], ignores = [] } = this.variant
    const expression = body.query?.$expr
    const matching =
      expression === undefined || ignores.includes('query') ? costs : costs.filter((cost) => isMatch(expression, cost))
    return selectRows(matching, body, this.variant)
  }

  private async sendThreads(response: ServerResponse, body: ListRequest): Promise<void> {
    const { threads = [], ignores = [], threadsForm = 'lines', changeThreadsBody, pieces, cutAfterBytes } = this.variant
    const ids = ignores.includes('filter') ? undefined : body.filter?.thread_ids
    const matching = ids?.length ? threads.filter((row) => isMatch({ $in: [{ $getField: 'thread_id' }, ids] }, row)) : threads
    const rows = selectRows(matching, body, this.variant)
    const text = formatThreads(rows, threadsForm)
    const bytes = Buffer.from(changeThreadsBody?.(text) ?? text).subarray(0, cutAfterBytes)
    response.writeHead(200, { 'content-type': threadsForm === 'lines' ? 'application/jsonl' : 'application/json' })
    const size = pieces?.bytes ?? Math.max(1, bytes.length)
    for (let start = 0; start < bytes.length && !response.destroyed; start += size) {
      response.write(bytes.subarray(start, start + size))
      if (pieces) await wait(pieces.pauseMs)
    }
    if (cutAfterBytes === undefined) {
      response.end()
      return
    }
    // The browser discards received bytes that it has not delivered yet when the connection closes.
    await wait(200)
    response.destroy()
  }
}

const authorization = `Basic ${Buffer.from(`${ForeignService.username}:${ForeignService.password}`).toString('base64')}`

function formatThreads(rows: readonly unknown[], form: 'lines' | 'array' | 'object'): string {
  if (form === 'lines') return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  return JSON.stringify(form === 'array' ? rows : { threads: rows })
}

function send(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return
  const { status, body = '', type = 'application/json', headers } = reply
  response.writeHead(status, { ...(body && { 'content-type': type }), ...headers }).end(body)
}

export function toJson(value: unknown): Reply {
  return { status: 200, body: JSON.stringify(value) }
}

/** The simplest error body that services have. */
function toProblem(status: number, detail: string): Reply {
  return { status, body: JSON.stringify({ detail }) }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // no encoding is set
  return Buffer.concat(chunks).toString()
}

function parseObject(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {} // just checked
  } catch {
    return {}
  }
}
