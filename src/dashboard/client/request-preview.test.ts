import { expect, test } from 'vitest'
import { createQueue, readQueue } from '../../contract/queues'
import { formatCurlCommands, formatRequestJson } from './request-preview'

const input = { project_id: 'a/b', name: "Bob's $HOME", scorer_refs: ['weave:///a/b/scorer/Tone:v1'] }
const connection = { baseUrl: 'https://spool.example.com/', username: "o'neil" }
const password = '"${SPOOL_KEY:?set it to your password or API key}"'

test('a command reads the password from the environment and quotes every value', () => {
  const requests = [{ endpoint: createQueue, input, headers: { 'Idempotency-Key': 'key-1' } }]
  expect(formatCurlCommands(requests, connection, '')).toBe(
    [
      "curl -sS 'https://spool.example.com/annotation_queues' \\",
      String.raw`  -u 'o'\''neil:'${password} \ `.trimEnd(),
      "  -H 'content-type: application/json' \\",
      "  -H 'Idempotency-Key: key-1' \\",
      String.raw`  --data-raw '{"project_id":"a/b","name":"Bob'\''s $HOME","scorer_refs":["weave:///a/b/scorer/Tone:v1"],"description":""}'`,
    ].join('\n'),
  )
})

test('several requests are several commands, with the note of each above it', () => {
  const read = { endpoint: readQueue, input: { queue_id: 'q 1', project_id: 'a/b' }, note: 'Its scorers.' }
  const noUser = { baseUrl: '', username: '' }
  expect(formatCurlCommands([read, { ...read, note: undefined }], noUser, 'http://localhost')).toBe(
    "# Its scorers.\ncurl -sS 'http://localhost/annotation_queues/q%201?project_id=a%2Fb'\n\ncurl -sS 'http://localhost/annotation_queues/q%201?project_id=a%2Fb'",
  )
})

test('what would change the direction of the text is escaped, in JSON that means the same', () => {
  const request = { endpoint: createQueue, input: { ...input, name: 'a\u202eb' } }
  expect(formatRequestJson([request])).toContain(String.raw`"a\u202eb"`)
  expect(JSON.parse(formatRequestJson([request]))).toMatchObject({ name: 'a\u202eb' })
})

test('the body of one request is an object, those of several are a list', () => {
  const sent = { ...input, description: '' }
  const request = { endpoint: createQueue, input }
  expect(JSON.parse(formatRequestJson([request]))).toEqual(sent)
  expect(JSON.parse(formatRequestJson([request, request]))).toEqual([sent, sent])
})
