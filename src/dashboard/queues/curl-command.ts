import { createQueue } from '../../contract/queues'
import type { Connection } from '../client/connection'
import { quoted } from '../client/quoted'
import { addressed } from '../client/send'

/** The same request for a shell. The password is left to the environment: it must not end up in a history or a chat. */
export function curlCommand(
  input: { project_id: string; name: string; description: string; scorer_refs: string[] },
  { baseUrl, username }: Pick<Connection, 'baseUrl' | 'username'>,
  idempotencyKey: string,
): string {
  const { url, body = '' } = addressed(createQueue, input, baseUrl === '' ? location.origin : baseUrl)
  return [
    `curl -sS ${quoted(url)}`,
    `-u ${quoted(`${username}:`)}"$SPOOL_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-H ${quoted(`Idempotency-Key: ${idempotencyKey}`)}`,
    `--data-raw ${quoted(body)}`,
  ].join(' \\\n  ')
}
