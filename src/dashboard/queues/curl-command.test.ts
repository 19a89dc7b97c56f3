import { expect, test } from 'vitest'
import { curlCommand } from './curl-command'

test('leaves the password to the environment and keeps quotes from the shell', () => {
  const input = { project_id: 'a/b', name: "Bob's $HOME", description: '', scorer_refs: [] }
  const command = curlCommand(input, { baseUrl: 'https://spool.example.com/', username: "o'neil" }, 'key-1')
  expect(command).toBe(
    [
      "curl -sS 'https://spool.example.com/annotation_queues' \\",
      String.raw`  -u 'o'\''neil:'"$SPOOL_KEY" \ `.trimEnd(),
      "  -H 'Content-Type: application/json' \\",
      "  -H 'Idempotency-Key: key-1' \\",
      String.raw`  --data-raw '{"project_id":"a/b","name":"Bob'\''s $HOME","description":"","scorer_refs":[]}'`,
    ].join('\n'),
  )
})
