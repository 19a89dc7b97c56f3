import * as z from 'zod/mini'
import { receiveCosts } from '../../contract/received-costs'
import { defineEndpoint } from '../../contract/endpoint'
import { createQueue, streamQueues } from '../../contract/queues'
import { streamThreads } from '../../contract/threads'
import {
  AbortedError,
  ApiError,
  BusyError,
  ExposedPasswordError,
  ForbiddenError,
  ResponseSchemaError,
  NotFoundError,
  ValidationError,
  UnauthorizedError,
  UnreachableError,
} from '../client/api-error'
import { fetchJson } from '../client/fetch-json'
import type { Connection } from '../client/connection'
import { streamRows } from '../client/stream-rows'

export type ProbeOutcome =
  | 'fine'
  | 'slow'
  | 'unreachable'
  | 'cors'
  | 'unauthorized'
  | 'forbidden'
  | 'missing'
  | 'rejected'
  | 'exposed'
  | 'busy'
  | 'unexpected'
  | 'timeout'
  | 'failed'

export type Probe = {
  operation: string
  path: string
  /** Every page works without this operation. */
  isOptional: boolean
  run: (connection: Connection, signal: AbortSignal) => Promise<void>
}

export type ProbeResult = { outcome: ProbeOutcome; durationMs: number; message: string | undefined }

const slowMs = 2000
const timeoutMs = 15_000

// A request without its required fields: every server that has the operation responds with 422 and creates nothing.
const invalidCreateQueue = defineEndpoint({
  path: createQueue.path,
  request: z.strictObject({ project_id: z.string() }),
  response: z.unknown(),
})

/** One small request for each operation. None of them changes anything. */
export const probes: readonly Probe[] = [
  {
    operation: 'Costs',
    path: receiveCosts.path,
    isOptional: false,
    run: async (connection, signal) => {
      await fetchJson(receiveCosts, { project_id: connection.projectId, limit: 1 }, { connection, signal })
    },
  },
  {
    operation: 'Threads',
    path: streamThreads.path,
    isOptional: false,
    run: (connection, signal) =>
      readAll(streamRows(streamThreads, { project_id: connection.projectId, limit: 0 }, { connection, signal })),
  },
  {
    operation: 'Create queues',
    path: createQueue.path,
    isOptional: false,
    run: async (connection, signal) => {
      const request = { method: invalidCreateQueue.method, path: invalidCreateQueue.path }
      const isRejected = await fetchJson(invalidCreateQueue, { project_id: connection.projectId }, { connection, signal }).then(
        () => false,
        (error: unknown) => {
          if (error instanceof ValidationError) return true
          throw error
        },
      )
      if (!isRejected) throw new ResponseSchemaError(request, 200, 'a queue without a name was accepted.')
    },
  },
  {
    operation: 'List queues',
    path: streamQueues.path,
    isOptional: true,
    run: (connection, signal) =>
      readAll(streamRows(streamQueues, { project_id: connection.projectId, limit: 0 }, { connection, signal })),
  },
]

async function readAll(batches: AsyncGenerator): Promise<void> {
  for await (const _ of batches);
}

/** Runs one probe. It never throws: a failure is an outcome. */
export async function runProbe(probe: Probe, connection: Connection, signal: AbortSignal): Promise<ProbeResult> {
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(timeoutMs)
  const [outcome, message] = await probe.run(connection, AbortSignal.any([signal, timeout])).then(
    () => [performance.now() - startedAt > slowMs ? 'slow' : 'fine', undefined] as const,
    async (error: unknown) =>
      [await toProbeOutcome(error, connection), error instanceof Error ? error.message : String(error)] as const,
  )
  return { outcome, durationMs: Math.round(performance.now() - startedAt), message }
}

async function toProbeOutcome(error: unknown, { baseUrl }: Connection): Promise<ProbeOutcome> {
  if (error instanceof UnreachableError) return (await isServerReachable(baseUrl)) ? 'cors' : 'unreachable'
  if (error instanceof AbortedError) return 'timeout'
  if (error instanceof UnauthorizedError) return 'unauthorized'
  if (error instanceof ForbiddenError) return 'forbidden'
  if (error instanceof NotFoundError) return 'missing'
  if (error instanceof ValidationError) return 'rejected'
  if (error instanceof ExposedPasswordError) return 'exposed'
  if (error instanceof BusyError) return 'busy'
  if (error instanceof ResponseSchemaError) return 'unexpected'
  if (error instanceof ApiError && (error.status === 405 || error.status === 501)) return 'missing'
  return 'failed'
}

/**
 * Whether a server responds at another origin. A `no-cors` response cannot be read, but its arrival proves that the server
 * is up and that CORS keeps this page from reading it.
 */
async function isServerReachable(baseUrl: string): Promise<boolean> {
  const url = URL.parse(baseUrl, location.href)
  if (!url || url.origin === location.origin) return false
  try {
    await fetch(url, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal: AbortSignal.timeout(5000) })
    return true
  } catch {
    return false
  }
}
