import type { Connection } from './connection'
import { shellQuote } from './shell-quote'
import { buildRequest, type AnyEndpoint, validateInput } from './fetch-response'

/** A request to show and to copy: its content without the credentials. */
export type RequestPreview = { endpoint: AnyEndpoint; input: unknown }

/** The body as it is sent, or the fields of an operation without a body. */
export function formatRequestJson({ endpoint, input }: RequestPreview): string {
  return JSON.stringify(toSentInput(endpoint, input), null, 2)
}

/** A curl command for a POSIX shell, without the password: curl asks for it. */
export function formatCurlCommand({ endpoint, input }: RequestPreview, connection: Connection, origin: string): string {
  const { url, body } = buildRequest(endpoint, toSentInput(endpoint, input), connection.baseUrl || origin)
  return [
    `curl -X ${endpoint.method} ${shellQuote(url)}`,
    ...(connection.username ? [`-u ${shellQuote(connection.username)}`] : []),
    ...(body === undefined ? [] : [`-H 'content-type: application/json'`, `--data-raw ${shellQuote(body)}`]),
  ].join(' \\\n  ')
}

function toSentInput(endpoint: AnyEndpoint, input: unknown): unknown {
  const validated = validateInput(endpoint, input)
  return validated.success ? validated.data : input
}
