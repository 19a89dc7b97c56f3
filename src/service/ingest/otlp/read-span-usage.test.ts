import { expect, test } from 'vitest'
import { AttributeReader } from './attributes/attribute-reader'
import type { Json } from './attributes/attributes'
import { readSpanUsage } from './read-span-usage'

const usageOf = (attributes: Record<string, Json>, scopeName = '') =>
  readSpanUsage(new AttributeReader(new Map(Object.entries(attributes)), { name: scopeName, version: '' }))

test('usage is prompt tokens with the cached ones among them, and a total', () => {
  expect(
    usageOf({
      'gen_ai.response.model': 'claude',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.usage.cache_read.input_tokens': 60,
    }),
  ).toEqual({ claude: { requests: 1, input_tokens: 100, output_tokens: 20, total_tokens: 120, cache_read_input_tokens: 60 } })
})

test('audio tokens are details, as OpenAI names them', () => {
  expect(
    usageOf({
      'llm.token_count.prompt': 10,
      'llm.token_count.completion': 5,
      'llm.token_count.prompt_details.audio': 4,
      'llm.token_count.completion_details.audio': 3,
    })?.['usage'],
  ).toMatchObject({ input_tokens_details: { audio_tokens: 4 }, output_tokens_details: { audio_tokens: 3 } })
})

test('a total is worked out only where something was counted', () => {
  expect(usageOf({ 'gen_ai.usage.cache_read.input_tokens': 6 })).toEqual({ usage: { requests: 1, cache_read_input_tokens: 6 } })
  expect(usageOf({ 'gen_ai.usage.output_tokens': 6 })).toEqual({ usage: { requests: 1, output_tokens: 6, total_tokens: 6 } })
})

test('cached tokens that a client counts beside the prompt are added to it, and to the total', () => {
  const attributes = {
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.usage.output_tokens': 5,
    'gen_ai.usage.total_tokens': 15,
    'gen_ai.usage.cache_read.input_tokens': 100,
    'gen_ai.usage.cache_creation.input_tokens': 20,
  }
  const cached = { cache_read_input_tokens: 100, cache_creation_input_tokens: 20 }
  expect(usageOf(attributes, '@traceloop/instrumentation-anthropic')).toEqual({
    usage: { requests: 1, input_tokens: 130, output_tokens: 5, total_tokens: 135, ...cached },
  })
  expect(usageOf(attributes, 'opentelemetry.instrumentation.anthropic')).toEqual({
    usage: { requests: 1, input_tokens: 10, output_tokens: 5, total_tokens: 15, ...cached },
  })
})
