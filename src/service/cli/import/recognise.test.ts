import { expect, test } from 'vitest'
import { recognise } from './recognise'

const call = '{"id":"00f067aa0ba902b7","project_id":"a/b","op_name":"x","inputs":{"resourceSpans":[]}}'
const traces = '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"1","op_name":"x"}]}]}]}'
const pretty = (text: string) => JSON.stringify(JSON.parse(text), null, 2)
const lines = (format: string) => ({ format, isDocument: false })
const document = (format: string) => ({ format, isDocument: true })

test.each<[string, string, object]>([
  ['calls', `${call}\n${call}\n`, lines('weave')],
  ['calls behind a byte order mark', `\ufeff${call}`, lines('weave')],
  ['calls behind junk', `junk\n\n{"a\n${call}\n`, lines('weave')],
  ['a call that is longer than the head', call.slice(0, -30), lines('weave')],
  ['traces', `${traces}\n${traces}`, lines('otlp')],
  ['traces behind half a line', `${traces.slice(30)}\n${traces}\n`, lines('otlp')],
  ['metrics', '{"resourceMetrics":[]}', lines('otlp')],
  ['traces in one document', pretty(traces), document('otlp')],
  ['LiteLLM prices', pretty('{"gpt-4o":{"input_cost_per_token":1e-6,"litellm_provider":"openai"}}'), document('litellm')],
  ['LiteLLM prices on one line', '{"gpt-4o":{"litellm_provider":"openai"}}', document('litellm')],
  ['a table', 'llm_id,prompt_token_cost\n', document('prices-csv')],
  ['a table with another order and quotes', '\ufeffprovider_id,"llm_id"\r\n', document('prices-csv')],
  ['a table with semicolons, for its reader to refuse', 'llm_id;prompt_token_cost', document('prices-csv')],
])('tells %s', (_, text, expected) => {
  expect(recognise(Buffer.from(text), undefined)).toEqual(expected)
})

test.each([
  ['calls in a list', `[${call}]`, 'one call per line'],
  ['calls in a list over lines', pretty(`[${call},${call}]`), 'one call per line'],
  ['a list over lines with a call on each', `[\n${call},\n${call}\n]`, 'one call per line'],
  ['a call over lines', pretty(call), 'one call per line'],
  ['other JSON', '{"a":1}', 'It is none of'],
  ['text', 'Dear Sir or Madam', 'It is none of'],
  ['bytes', '\u0000\u0001\ufffd', 'It is none of'],
])('refuses %s', (_, text, message) => {
  expect(() => recognise(Buffer.from(text), undefined)).toThrow(message)
})

test('refuses UTF-16', () => {
  expect(() => recognise(Buffer.from(`\ufeff${call}`, 'utf16le'), undefined)).toThrow('Save it as UTF-8')
})

test('takes its owner at their word where the content says nothing', () => {
  expect(recognise(Buffer.from('junk\n'), 'weave')).toEqual(lines('weave'))
  expect(recognise(Buffer.from('junk\n'), 'litellm')).toEqual(document('litellm'))
  expect(recognise(Buffer.from(pretty(traces)), 'otlp')).toEqual(document('otlp'))
})
