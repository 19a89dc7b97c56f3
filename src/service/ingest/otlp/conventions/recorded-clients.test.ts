import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readMessages, readRecording, recordingsFolder, summarizeCalls } from '../testing/read-recording'

// What real clients sent, so that this holds without installing them. `npm run test:clients` runs the clients themselves.

test('a model call of OpenLIT is a call with model, usage, messages and the reason for its end', () => {
  const { request } = readRecording('openlit')
  expect(summarizeCalls(request)).toContainEqual(
    expect.objectContaining({
      op_name: 'chat gpt-5-mini',
      model: 'gpt-5-mini-2025-08-07',
      provider: 'openai',
      finish_reasons: ['tool_calls'],
      usage: {
        'gpt-5-mini-2025-08-07': {
          requests: 1,
          input_tokens: 1300,
          cache_read_input_tokens: 1024,
          output_tokens: 48,
          total_tokens: 1348,
        },
      },
    }),
  )
})

const names = readdirSync(recordingsFolder).map((file) => file.replace(/\.json$/, ''))

test.each(names)('the spans of %s become the expected calls', (name) => {
  const { request, calls } = readRecording(name)
  expect(summarizeCalls(request)).toEqual(calls)
})

test.each(names.filter((name) => readRecording(name).logs !== undefined))(
  'the log records of %s become the expected messages',
  (name) => {
    const { logs, messages } = readRecording(name)
    expect(readMessages(logs)).toEqual(messages)
  },
)

test.each(names)('no call of %s counts more cached or reasoning tokens than it counts in all', (name) => {
  for (const call of readRecording(name).calls as { usage?: Record<string, Record<string, number>> }[]) {
    for (const counts of Object.values(call.usage ?? {})) {
      const { input_tokens = 0, output_tokens = 0, total_tokens = 0, reasoning_tokens = 0 } = counts
      const { cache_read_input_tokens: read = 0, cache_creation_input_tokens: written = 0 } = counts
      expect(total_tokens).toBe(input_tokens + output_tokens)
      expect(read + written).toBeLessThanOrEqual(input_tokens)
      expect(reasoning_tokens).toBeLessThanOrEqual(output_tokens)
    }
  }
})
