import type { Connection } from './connection'
import { shellQuote } from './shell-quote'
import { buildRequest, type AnyEndpoint, validateInput } from './fetch-response'

/** A request as it may be shown and copied: what is sent, without who sends it. */
export type RequestPreview = { endpoint: AnyEndpoint; input: unknown }

/** The body as sent, or for an operation without one its fields. */
export function formatRequestJson({ endpoint, input }: RequestPreview): string {
  return JSON.stringify(sentInput(endpoint, input), null, 2)
}

/** A command for a POSIX shell. The password is left out: curl asks for it. */
export function formatCurlCommand({ endpoint, input }: RequestPreview, connection: Connection, origin: string): string {
  const { url, body } = buildRequest(endpoint, sentInput(endpoint, input), connection.baseUrl || origin)
  return [
    `curl -X ${endpoint.method} ${shellQuote(url)}`,
    ...(connection.username ? [`-u ${shellQuote(connection.username)}`] : []),
    ...(body === undefined ? [] : [`-H 'content-type: application/json'`, `--data-raw ${shellQuote(body)}`]),
  ].join(' \\\n  ')
}

function sentInput(endpoint: AnyEndpoint, input: unknown): unknown {
  const judged = validateInput(endpoint, input)
  return judged.success ? judged.data : input
}
