import type { Connection } from './connection'
import { quote } from './quote'
import { buildRequest, type AnyEndpoint, judgedInput } from './send'

/** A request as it may be shown and copied: what is sent, without who sends it. */
export type ExposedRequest = { endpoint: AnyEndpoint; input: unknown }

/** The body as sent, or for an operation without one its fields. */
export function formatJson({ endpoint, input }: ExposedRequest): string {
  return JSON.stringify(sentInput(endpoint, input), null, 2)
}

/** A command for a POSIX shell. The password is left out: curl asks for it. */
export function formatCurl({ endpoint, input }: ExposedRequest, connection: Connection, origin: string): string {
  const { url, body } = buildRequest(endpoint, sentInput(endpoint, input), connection.baseUrl || origin)
  return [
    `curl -X ${endpoint.method} ${quote(url)}`,
    ...(connection.username ? [`-u ${quote(connection.username)}`] : []),
    ...(body === undefined ? [] : [`-H 'content-type: application/json'`, `--data-raw ${quote(body)}`]),
  ].join(' \\\n  ')
}

function sentInput(endpoint: AnyEndpoint, input: unknown): unknown {
  const judged = judgedInput(endpoint, input)
  return judged.success ? judged.data : input
}
