import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { MessagePart } from './message-parts'
import { readConversation } from './read-conversation'
import { unwrapPayload } from './unwrap-payload'

const show = (value: unknown): string[] | undefined =>
  readConversation(value)?.messages.map(({ role, parts }) => `${role}: ${parts.map(showPart).join(' | ')}`)

function showPart(part: MessagePart): string {
  switch (part.kind) {
    case 'tool_call':
      return `calls ${part.name}(${JSON.stringify(part.input)})`
    case 'tool_result':
      return `${part.isError ? 'error' : 'result'} ${JSON.stringify(part.output)}`
    case 'data':
      return `[${part.label}]`
    default:
      return part.kind === 'thinking' ? `(${part.text})` : part.text
  }
}

test('the messages of a chat are read with their roles, tool calls and results; the other fields stay', () => {
  const inputs = {
    model: 'gpt-4o',
    messages: [
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Weather?' },
          { type: 'image_url', image_url: { url: 'https://x' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get', arguments: '{"city":"Paris"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '21 degrees' },
    ],
  }
  expect(show(inputs)).toEqual([
    'system: Be brief.',
    'user: Weather? | [image_url]',
    'assistant: calls get({"city":"Paris"})',
    'tool: result "21 degrees"',
  ])
  expect(readConversation(inputs)?.rest).toEqual({ model: 'gpt-4o' })
})

test.each<[string, unknown, string[]]>([
  [
    "Anthropic's blocks, with thinking and a failed tool",
    {
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.' },
            { type: 'tool_use', id: 't', name: 'get', input: {} },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't', is_error: true, content: [{ type: 'text', text: 'no' }] }],
        },
      ],
    },
    ['system: Be brief.', 'assistant: (Hm.) | calls get({})', 'user: error "no"'],
  ],
  [
    "items of OpenAI's responses",
    {
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: 'Weather?' },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        { type: 'function_call', call_id: 'c', name: 'get', arguments: '{"city":' },
        { type: 'function_call_output', call_id: 'c', output: '21' },
      ],
    },
    ['system: Be brief.', 'user: Weather?', 'assistant: (Hm.)', 'assistant: calls get("{\\"city\\":")', 'tool: result "21"'],
  ],
  [
    "Gemini's contents",
    {
      contents: [
        { role: 'user', parts: [{ text: 'Weather?' }] },
        { role: 'model', parts: [{ functionCall: { name: 'get', args: { city: 'Paris' } } }] },
        { role: 'function', parts: [{ functionResponse: { name: 'get', response: { result: 21 } } }] },
      ],
    },
    ['user: Weather?', 'assistant: calls get({"city":"Paris"})', 'tool: result {"result":21}'],
  ],
  [
    "LangChain's dictionaries",
    [
      { type: 'human', data: { content: 'Hi' } },
      { type: 'ai', content: 'Hello', tool_calls: [{ name: 'get', args: { a: 1 }, id: 'x', type: 'tool_call' }] },
    ],
    ['user: Hi', 'assistant: Hello | calls get({"a":1})'],
  ],
  [
    "OpenInference's flattened messages",
    {
      'llm.output_messages': [
        { message: { role: 'assistant', tool_calls: [{ tool_call: { id: 'c', function: { name: 'get', arguments: '{}' } } }] } },
      ],
    },
    ['assistant: calls get({})'],
  ],
  ["Vercel's reply", { 'ai.response.text': 'Hi', 'ai.response.toolCalls': [] }, ['assistant: Hi']],
  ['a refusal', { choices: [{ message: { role: 'assistant', content: null, refusal: 'No.' } }] }, ['assistant: No.']],
  ['a message without content', { role: 'assistant', content: '' }, ['assistant: ']],
])('reads %s', (_, value, expected) => {
  expect(show(value)).toEqual(expected)
})

test.each<[string, unknown]>([
  ['text', 'Hello'],
  ['a list of other things', [{ role: 'admin', name: 'kim' }]],
  ['an empty list of messages', { messages: [] }],
  ['messages among which one is none', { messages: [{ role: 'user', content: 'x' }, 7] }],
  ['an embedding request', { model: 'text-embedding-3-small', input: 'Hello' }],
  ['nothing', null],
])('%s is no conversation', (_, value) => {
  expect(readConversation(value)).toBeUndefined()
})

test('values of one attribute are shown without it, and text of JSON as JSON', () => {
  expect(unwrapPayload({ 'output.value': '{"a":1}' })).toEqual({ name: 'output.value', value: { a: 1 } })
  expect(unwrapPayload({ 'output.value': '{"a":' })).toEqual({ name: 'output.value', value: '{"a":' })
  expect(unwrapPayload({ question: 'Why?' })).toEqual({ name: null, value: { question: 'Why?' } })
})

// What real clients sent, as the service stores it.
const folder = join(import.meta.dirname, '../../service/ingest/otlp/conventions/fixtures')
const Recording = z.object({
  calls: z.array(z.object({ op_name: z.string(), inputs: z.optional(z.unknown()), output: z.optional(z.unknown()) })),
})

test.each(readdirSync(folder).map((file) => file.replace(/\.json$/, '')))('the messages that %s sends are recognized', (name) => {
  const { calls } = Recording.parse(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')))
  for (const { op_name: opName, inputs, output } of calls) {
    for (const value of [inputs, output]) {
      // Where a payload has messages, it says so by these words.
      const text = JSON.stringify(value ?? null)
      const hasMessages =
        /"role":"(?:user|assistant)"|(?:Human|AI)Message"|ai\.response\.|"ai\.prompt"|"toolCalls"|"type":"function_call"|"type":"tool"\}\}$/.test(
          text,
        )
      expect(show(value) !== undefined, `${opName}: ${text.slice(0, 300)}`).toBe(hasMessages)
      for (const message of readConversation(value)?.messages ?? []) {
        expect(['system', 'user', 'assistant', 'tool']).toContain(message.role)
        expect(message.parts.filter(({ kind }) => kind === 'data')).toEqual([])
      }
    }
  }
})
