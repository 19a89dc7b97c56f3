import * as z from 'zod/mini'
import { queryCosts } from '../../contract/costs'
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
  | 'refused'
  | 'exposed'
  | 'busy'
  | 'misfit'
  | 'unanswered'
  | 'failed'

export type Probe = {
  operation: string
  path: string
  /** Its absence costs comfort, not a page. */
  isExtra: boolean
  run: (connection: Connection, signal: AbortSignal) => Promise<void>
}

export type ProbeResult = { outcome: ProbeOutcome; durationMs: number; message: string | undefined }

const slowMs = 2000
const timeoutMs = 15_000

// A create that lacks what it needs: every server that knows the operation answers 422 and makes nothing.
const createNothing = defineEndpoint({
  path: createQueue.path,
  request: z.strictObject({ project_id: z.string() }),
  response: z.unknown(),
})

/** One small call per operation; none of them changes anything. */
export const probes: readonly Probe[] = [
  {
    operation: 'Costs',
    path: queryCosts.path,
    isExtra: false,
    run: async (connection, signal) => {
      await fetchJson(queryCosts, { project_id: connection.projectId, limit: 1 }, { connection, signal })
    },
  },
  {
    operation: 'Threads',
    path: streamThreads.path,
    isExtra: false,
    run: (connection, signal) =>
      drain(streamRows(streamThreads, { project_id: connection.projectId, limit: 0 }, { connection, signal })),
  },
  {
    operation: 'Create queues',
    path: createQueue.path,
    isExtra: false,
    run: async (connection, signal) => {
      const request = { method: createNothing.method, path: createNothing.path }
      const isRefused = await fetchJson(createNothing, { project_id: connection.projectId }, { connection, signal }).then(
        () => false,
        (error: unknown) => {
          if (error instanceof ValidationError) return true
          throw error
        },
      )
      if (!isRefused) throw new ResponseSchemaError(request, 200, 'a queue without a name was accepted.')
    },
  },
  {
    operation: 'List queues',
    path: streamQueues.path,
    isExtra: true,
    run: (connection, signal) =>
      drain(streamRows(streamQueues, { project_id: connection.projectId, limit: 0 }, { connection, signal })),
  },
]

async function drain(batches: AsyncGenerator): Promise<void> {
  for await (const _ of batches);
}

/** Runs one probe and says what came of it. Never throws. */
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
  if (error instanceof AbortedError) return 'unanswered'
  if (error instanceof UnauthorizedError) return 'unauthorized'
  if (error instanceof ForbiddenError) return 'forbidden'
  if (error instanceof NotFoundError) return 'missing'
  if (error instanceof ValidationError) return 'refused'
  if (error instanceof ExposedPasswordError) return 'exposed'
  if (error instanceof BusyError) return 'busy'
  if (error instanceof ResponseSchemaError) return 'misfit'
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
