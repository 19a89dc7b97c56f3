import type { Connection } from './connection'
import { escapeDirectionMarks } from './escape-direction-marks'
import { type AnyEndpoint, buildRequest, validateInput } from './fetch-response'
import { shellQuote } from './shell-quote'

/** A request to show and to copy: its content without the credentials. */
export type RequestPreview = {
  endpoint: AnyEndpoint
  input: unknown
  headers?: Readonly<Record<string, string>> | undefined
  /** What the page does with the response: a comment above the command. */
  note?: string | undefined
}

/** The bodies as they are sent, or the fields of an operation without a body. Several requests are a list. */
export function formatRequestJson(requests: readonly RequestPreview[]): string {
  const inputs = requests.map(({ endpoint, input }) => toSentInput(endpoint, input))
  return escapeDirectionMarks(JSON.stringify(inputs.length === 1 ? inputs[0] : inputs, null, 2))
}

/**
 * Commands for a POSIX shell. They read the password from the environment, because a history or a chat must not contain it; where
 * it is not set, the shell says what is missing.
 */
export function formatCurlCommands(
  requests: readonly RequestPreview[],
  { baseUrl, username }: Pick<Connection, 'baseUrl' | 'username'>,
  origin: string,
): string {
  return requests
    .map(({ endpoint, input, headers, note }) => {
      const { url, body } = buildRequest(endpoint, toSentInput(endpoint, input), baseUrl || origin)
      const sent = { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers }
      const command = [
        `curl -sS${endpoint.method === (body === undefined ? 'GET' : 'POST') ? '' : ` -X ${endpoint.method}`} ${shellQuote(url)}`,
        ...(username ? [`-u ${shellQuote(`${username}:`)}"\${SPOOL_KEY:?set it to your password or API key}"`] : []),
        ...Object.entries(sent).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
        ...(body === undefined ? [] : [`--data-raw ${shellQuote(escapeDirectionMarks(body))}`]),
      ].join(' \\\n  ')
      return note === undefined ? command : `# ${note}\n${command}`
    })
    .join('\n\n')
}

function toSentInput(endpoint: AnyEndpoint, input: unknown): unknown {
  const validated = validateInput(endpoint, input)
  return validated.success ? validated.data : input
}
