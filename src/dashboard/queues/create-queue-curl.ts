import { createQueue } from '../../contract/queues'
import type { Connection } from '../client/connection'
import { shellQuote } from '../client/shell-quote'
import { buildRequest } from '../client/fetch-response'

/** The request as a curl command. It reads the password from the environment: a shell history or a chat must not contain it. */
export function createQueueCurl(
  input: { project_id: string; name: string; description: string; scorer_refs: string[] },
  { baseUrl, username }: Pick<Connection, 'baseUrl' | 'username'>,
  idempotencyKey: string,
): string {
  const { url, body = '' } = buildRequest(createQueue, input, baseUrl === '' ? location.origin : baseUrl)
  return [
    `curl -sS ${shellQuote(url)}`,
    `-u ${shellQuote(`${username}:`)}"$SPOOL_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-H ${shellQuote(`Idempotency-Key: ${idempotencyKey}`)}`,
    `--data-raw ${shellQuote(body)}`,
  ].join(' \\\n  ')
}
