import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { detectFormat } from './detect-format'
import type { Format } from './import-options'
import { openInputFile } from './input-file'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-detect-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function detect(content: string | Uint8Array, name = 'file.json', format?: Format) {
  writeFileSync(join(folder, name), content)
  return await detectFormat(await openInputFile(name, join(folder, name)), format)
}

const call = '{"id":"00f067aa0ba902b7","project_id":"a/b","op_name":"x","inputs":{"resourceSpans":[]}}'
const traces = '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"1","op_name":"x"}]}]}]}'
const litellm = '{"gpt-4o":{"input_cost_per_token":1e-6,"litellm_provider":"openai"}}'
const toPretty = (json: string) => JSON.stringify(JSON.parse(json), null, 2)

test('detects the format by the name or the first JSON value, and whether the file is one document', async () => {
  expect(await detect(`${call}\n${call}\n`)).toEqual({ format: 'calls', isDocument: false })
  expect(await detect(toPretty(traces))).toEqual({ format: 'traces', isDocument: true })
  expect(await detect('anything', 'prices.csv')).toEqual({ format: 'csv-prices', isDocument: true })
})

test.each<[string, string | Uint8Array, object]>([
  ['calls with a byte order mark', `\ufeff${call}`, { format: 'calls', isDocument: false }],
  ['calls after blank lines', `\n \n${call}`, { format: 'calls', isDocument: false }],
  ['calls in gzip', gzipSync(call), { format: 'calls', isDocument: false }],
  ['traces', `${traces}\n${traces}`, { format: 'traces', isDocument: false }],
  ['metrics', '{"resourceMetrics":[]}', { format: 'traces', isDocument: false }],
  ['the protobuf spelling of traces', '{"resource_spans":[]}', { format: 'traces', isDocument: false }],
  ['LiteLLM prices', toPretty(litellm), { format: 'litellm-prices', isDocument: true }],
  ['LiteLLM prices on one line', litellm, { format: 'litellm-prices', isDocument: false }],
])('detects %s', async (_, content, expected) => {
  expect(await detect(content)).toEqual(expected)
})

test.each([
  ['calls in a list', `[${call}]`, "is a JSON list. Write one object per line: jq -c '.[]'"],
  ['calls in a list of several lines', toPretty(`[${call},${call}]`), 'is a JSON list'],
  ['a call of several lines', toPretty(call), 'Write one call per line: jq -c .'],
  ['other JSON', '{"a":1}', 'does not show its format. Name it with --as: calls, traces, litellm-prices, csv-prices.'],
  ['an incomplete first line', `{"id":"00\n${call}\n`, 'Name it with --as'],
  ['text', 'Dear Sir or Madam', 'Name it with --as'],
  ['bytes', '\u0000\u0001\ufffd', 'Name it with --as'],
])('refuses %s', async (_, content, message) => {
  await expect(detect(content)).rejects.toThrow(message)
})

test('accepts the format that the user names', async () => {
  expect(await detect('junk\n', 'file.json', 'calls')).toEqual({ format: 'calls', isDocument: false })
  expect(await detect('junk\n', 'file.json', 'litellm-prices')).toEqual({ format: 'litellm-prices', isDocument: true })
  expect(await detect(call, 'calls.csv', 'calls')).toEqual({ format: 'calls', isDocument: false })
  expect(await detect(toPretty(traces), 'file.json', 'traces')).toEqual({ format: 'traces', isDocument: true })
  expect(await detect('junk\n', 'file.json', 'traces')).toEqual({ format: 'traces', isDocument: false })
})
