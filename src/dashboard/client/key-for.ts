import { type Connection, connectionIdentity } from './connection'
import { type AnyEndpoint, judgedInput } from './send'

/** The query key of an operation: `[path, parsed input, connection without its secret]`. Made here and nowhere else. */
export function keyFor(endpoint: AnyEndpoint, input: unknown, connection: Connection) {
  const judged = judgedInput(endpoint, input)
  return [endpoint.path, judged.success ? judged.data : input, connectionIdentity(connection)] as const
}
