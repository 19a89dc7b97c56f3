import { createQueue } from '../../contract/queues'
import type { Connection } from '../client/connection'
import { quote } from '../client/quote'
import { buildRequest } from '../client/send'

/** The same request for a shell. The password is left to the environment: it must not end up in a history or a chat. */
export function curlCommand(
  input: { project_id: string; name: string; description: string; scorer_refs: string[] },
  { baseUrl, username }: Pick<Connection, 'baseUrl' | 'username'>,
  idempotencyKey: string,
): string {
  const { url, body = '' } = buildRequest(createQueue, input, baseUrl === '' ? location.origin : baseUrl)
  return [
    `curl -sS ${quote(url)}`,
    `-u ${quote(`${username}:`)}"$SPOOL_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-H ${quote(`Idempotency-Key: ${idempotencyKey}`)}`,
    `--data-raw ${quote(body)}`,
  ].join(' \\\n  ')
}
