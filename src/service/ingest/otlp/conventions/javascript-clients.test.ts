import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { CallRow } from '../../call-row'
import { readFixture } from '../testing/read-fixture'

// What real clients sent, so that this holds without installing them. `npm run test:clients` runs the clients themselves.

/** A folder with the expected calls of some of the fixtures. */
const expectedFolder = join(import.meta.dirname, 'fixtures/calls')
const names = readdirSync(expectedFolder).map((file) => file.replace(/\.json$/, ''))

const Row = z.object({
  op_name: z.string(),
  thread_id: z.optional(z.string()),
  is_conversation: z.optional(z.boolean()),
  exception: z.optional(z.string()),
  attributes: z.record(z.string(), z.unknown()),
  inputs: z.optional(z.unknown()),
  output: z.optional(z.unknown()),
  summary: z.optional(z.object({ usage: z.record(z.string(), z.record(z.string(), z.unknown())) })),
})

/** What a call says, without ids, times and the copy of the span. */
function summarizeRow(row: CallRow) {
  // As the store gets it, where undefined is absent.
  const { attributes, summary, ...fields } = Row.parse(JSON.parse(JSON.stringify(row)))
  const { otel_span: _, ...headings } = attributes
  return { ...fields, ...headings, ...summary }
}

test('a model call of OpenLIT is a call with model, usage, messages and the reason for its end', () => {
  const usage = { requests: 1, input_tokens: 1300, cache_read_input_tokens: 1024, output_tokens: 48, total_tokens: 1348 }
  expect(readFixture('openlit').map(summarizeRow)).toContainEqual(
    expect.objectContaining({
      op_name: 'chat gpt-5-mini',
      model: 'gpt-5-mini-2025-08-07',
      provider: 'openai',
      finish_reasons: ['tool_calls'],
      usage: { 'gpt-5-mini-2025-08-07': usage },
    }),
  )
})

test.each(names)('the spans of %s become the expected calls', (name) => {
  const expected: unknown = JSON.parse(readFileSync(join(expectedFolder, `${name}.json`), 'utf8'))
  expect(readFixture(name).map(summarizeRow)).toEqual(expected)
})

test.each(names)('no call of %s counts more cached or reasoning tokens than it counts in all', (name) => {
  for (const { usage = {} } of readFixture(name).map(summarizeRow)) {
    for (const counts of Object.values(usage)) {
      const count = (key: string) => Number(counts[key] ?? 0)
      expect(count('total_tokens')).toBe(count('input_tokens') + count('output_tokens'))
      const cached = count('cache_read_input_tokens') + count('cache_creation_input_tokens')
      expect(cached).toBeLessThanOrEqual(count('input_tokens'))
      expect(count('reasoning_tokens')).toBeLessThanOrEqual(count('output_tokens'))
    }
  }
})
