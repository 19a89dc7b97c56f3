import * as z from 'zod/mini'
import { type Connection, connectionIdentity } from './connection'
import type { AnyEndpoint } from './send'

/** The query key of an operation: `[path, parsed input, connection without its secret]`. Made here and nowhere else. */
export function keyFor(endpoint: AnyEndpoint, input: unknown, connection: Connection) {
  const parsed = z.safeParse(endpoint.request, input)
  return [endpoint.path, parsed.success ? parsed.data : input, connectionIdentity(connection)] as const
}
