import { expect, test } from 'vitest'
import { createQueueCurl } from './create-queue-curl'

test('the command reads the password from the environment and quotes every value', () => {
  const input = { project_id: 'a/b', name: "Bob's $HOME", description: '', scorer_refs: [] }
  const command = createQueueCurl(input, { baseUrl: 'https://spool.example.com/', username: "o'neil" }, 'key-1')
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
