import { expect, test } from 'vitest'
import { parseUsage } from './usage'

test('reads the usage of each model in a call’s summary', () => {
  const usage = parseUsage({ 'gpt-4o': { requests: 1, prompt_tokens: 10, completion_tokens: 5 } })
  expect([...usage]).toEqual([
    [
      'gpt-4o',
      {
        requests: 1,
        prompt_tokens: 10,
        completion_tokens: 5,
        total_tokens: 15,
        cache_read_input_tokens: 0,
        cache_creation_input_tokens: 0,
        details: {
          inputAudioTokens: 0,
          cacheReadAudioTokens: 0,
          cacheWrite1hTokens: 0,
          outputAudioTokens: 0,
          reasoningTokens: 0,
        },
      },
    ],
  ])
})

test.each<[string, object, object]>([
  [
    'adds both names of one count',
    { prompt_tokens: 1, input_tokens: 2, completion_tokens: 3, output_tokens: 4 },
    { prompt_tokens: 3, completion_tokens: 7, total_tokens: 10 },
  ],
  ['keeps a total that the client sent', { input_tokens: 2, total_tokens: 9 }, { total_tokens: 9 }],
  [
    'finds cached tokens in the details',
    { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 5 } },
    { cache_read_input_tokens: 5 },
  ],
  [
    'counts cached tokens once where the client sent them twice',
    { cache_read_input_tokens: 4, prompt_tokens_details: { cached_tokens: 4 } },
    { cache_read_input_tokens: 4 },
  ],
  [
    'finds tokens with prices of their own in the details',
    {
      input_tokens: 9,
      input_tokens_details: { audio_tokens: 3, cached_tokens: 2, cached_tokens_details: { audio_tokens: 1 } },
      cache_creation: { ephemeral_1h_input_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 6 },
    },
    {
      details: { inputAudioTokens: 3, cacheReadAudioTokens: 1, cacheWrite1hTokens: 4, outputAudioTokens: 6, reasoningTokens: 5 },
    },
  ],
  [
    'reads values that are no counts as 0',
    { prompt_tokens: '3', input_tokens: -4, output_tokens: null, requests: Number.NaN },
    { prompt_tokens: 0, completion_tokens: 0, requests: 0 },
  ],
])('%s', (_, counts, expected) => {
  expect(parseUsage({ m: counts }).get('m')).toMatchObject(expected)
})

test('ignores values that are no usage', () => {
  for (const nonsense of [undefined, null, 'x', 3, [], { m: 'x' }, { m: null }]) expect(parseUsage(nonsense).size).toBe(0)
  const hostile: unknown = JSON.parse('{"__proto__": {"prompt_tokens": 1}}')
  expect([...parseUsage(hostile).keys()]).toEqual(['__proto__'])
})
