import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testProperty } from '../../testing/test-property'
import { parseUsage, type Usage } from './usage'
import { type UsageSender, unknownSender } from './usage-sender'

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
    { prompt_tokens: 9, cache_read_input_tokens: 4, prompt_tokens_details: { cached_tokens: 4 } },
    { prompt_tokens: 9, cache_read_input_tokens: 4 },
  ],
  [
    'finds tokens with prices of their own in the details',
    {
      input_tokens: 9,
      input_tokens_details: { audio_tokens: 3, cached_tokens: 2, cached_tokens_details: { audio_tokens: 1 } },
      cache_creation_input_tokens: 5,
      cache_creation: { ephemeral_1h_input_tokens: 4 },
      output_tokens: 20,
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

type Counts = { [name: string]: number | string | null | Counts }

/** A call's usage in numbers: prompt, completion, total, cached read, cached written. */
function toNumbers(counts: Counts, sender: UsageSender = unknownSender): number[] {
  const usage = parseUsage({ m: counts }, sender).get('m')
  if (!usage) throw new Error('a usage')
  const { prompt_tokens, completion_tokens, total_tokens, cache_read_input_tokens, cache_creation_input_tokens } = usage
  return [prompt_tokens, completion_tokens, total_tokens, cache_read_input_tokens, cache_creation_input_tokens]
}

// What SDKs send, as their code makes it: npm weave 0.11.1 and Weave for Python 0.52.43, 0.53.1 and 0.54.0.

/** The usage of a message of Anthropic. Python leaves out what was not set. */
const anthropic = {
  requests: 1,
  input_tokens: 20,
  output_tokens: 5,
  cache_read_input_tokens: 80,
  cache_creation_input_tokens: 10,
  cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 0 },
  server_tool_use: null,
  service_tier: 'standard',
}
const anthropicStreamedByNpm = { requests: 1, input_tokens: 20, output_tokens: 5 }
const anthropicByPython = { ...anthropic, input_tokens: 110 }
const openAi = {
  requests: 1,
  prompt_tokens: 100,
  completion_tokens: 30,
  total_tokens: 130,
  prompt_tokens_details: { cached_tokens: 60, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 10, audio_tokens: 0 },
}
const openAiByPython = { ...openAi, cache_read_input_tokens: 60 }
const openAiResponses = {
  requests: 1,
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 60 },
  output_tokens: 30,
  output_tokens_details: { reasoning_tokens: 10 },
  total_tokens: 130,
}
const openAiResponsesByPython = { ...openAiResponses, cache_read_input_tokens: 60 }
const geminiByPython = {
  requests: 1,
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 150,
  thoughts_tokens: 30,
  cache_read_input_tokens: 60,
}
const bedrockByPython = {
  requests: 1,
  prompt_tokens: 4,
  completion_tokens: 10,
  total_tokens: 1014,
  cache_read_input_tokens: 900,
  cache_creation_input_tokens: 100,
}
const liteLlm = {
  requests: 1,
  prompt_tokens: 110,
  completion_tokens: 5,
  total_tokens: 115,
  prompt_tokens_details: { cached_tokens: 80, cache_creation_tokens: 10 },
  cache_read_input_tokens: 80,
  cache_creation_input_tokens: 10,
}
const xAi = {
  requests: 1,
  prompt_tokens: 37,
  completion_tokens: 5,
  total_tokens: 142,
  prompt_tokens_details: { cached_tokens: 8 },
  completion_tokens_details: { reasoning_tokens: 100 },
}

const python: UsageSender = { isPromptWithCached: false, repeatsDetails: true }
const pythonWithCached: UsageSender = { isPromptWithCached: true, repeatsDetails: true }

test.each<[string, Counts, UsageSender, number[]]>([
  ['Anthropic counts cached tokens beside the prompt', anthropic, unknownSender, [110, 5, 115, 80, 10]],
  ['npm weave loses the cached tokens of a stream', anthropicStreamedByNpm, unknownSender, [20, 5, 25, 0, 0]],
  ['Python before 0.53.2 sends what Anthropic counts', anthropic, python, [110, 5, 115, 80, 10]],
  ['Python since 0.53.2 has added them', anthropicByPython, pythonWithCached, [110, 5, 115, 80, 10]],
  ['OpenAI counts them within', openAi, unknownSender, [100, 30, 130, 60, 0]],
  ['and Python copies them', openAiByPython, python, [100, 30, 130, 60, 0]],
  ['so does the responses API', openAiResponses, unknownSender, [100, 30, 130, 60, 0]],
  ['by Python too', openAiResponsesByPython, python, [100, 30, 130, 60, 0]],
  ['Gemini counts thoughts beside the completion', geminiByPython, pythonWithCached, [100, 50, 150, 60, 0]],
  ['Bedrock counts cached tokens on top, also of its total', bedrockByPython, python, [1004, 10, 1014, 900, 100]],
  ['LiteLLM counts them within', liteLlm, python, [110, 5, 115, 80, 10]],
  ['xAI counts reasoning beside the completion', xAi, unknownSender, [37, 105, 142, 8, 0]],
  [
    'OpenAI names what it writes to the cache in the details',
    { ...openAi, prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 20 } },
    unknownSender,
    [100, 30, 130, 60, 20],
  ],
  [
    'a span counts within the prompt, whatever its names',
    { requests: 1, input_tokens: 110, cache_read_input_tokens: 80 },
    { isPromptWithCached: true, repeatsDetails: false },
    [110, 0, 110, 80, 0],
  ],
  [
    'a prompt that is sent with its cached tokens settles it',
    { input_tokens: 30, gross_input_tokens: 110, cache_read_input_tokens: 80 },
    unknownSender,
    [110, 0, 110, 80, 0],
  ],
  [
    'in both ways',
    { input_tokens: 110, gross_input_tokens: 110, cache_read_input_tokens: 80 },
    unknownSender,
    [110, 0, 110, 80, 0],
  ],
  [
    'also under the other name',
    { prompt_tokens: 30, gross_input_tokens: 110, cache_read_input_tokens: 80 },
    unknownSender,
    [110, 0, 110, 80, 0],
  ],
  [
    'a total settles it: these are within the prompt',
    { input_tokens: 100, output_tokens: 5, total_tokens: 105, cache_read_input_tokens: 80 },
    unknownSender,
    [100, 5, 105, 80, 0],
  ],
  [
    'so do details',
    { input_tokens: 100, input_tokens_details: { cached_tokens: 80 }, cache_read_input_tokens: 80 },
    unknownSender,
    [100, 0, 100, 80, 0],
  ],
  ['so does the name of the prompt', { prompt_tokens: 100, cache_read_input_tokens: 80 }, unknownSender, [100, 0, 100, 80, 0]],
  ['more than the prompt cannot be within', { prompt_tokens: 3, cache_read_input_tokens: 80 }, unknownSender, [83, 0, 83, 80, 0]],
])('%s', (_, counts, sender, expected) => {
  expect(toNumbers(counts, sender)).toEqual(expected)
})

describe('a call that adds up its children', () => {
  /** As both SDKs do it: numbers are added, objects are merged, of other values one is kept. */
  function addUp(usages: readonly Counts[]): Counts {
    const sum: Counts = {}
    for (const [name, value] of usages.flatMap((usage) => Object.entries(usage))) {
      const before = sum[name]
      if (typeof value === 'number') sum[name] = typeof before === 'number' ? before + value : value
      else if (typeof value === 'object' && value !== null) {
        sum[name] = addUp(typeof before === 'object' && before !== null ? [before, value] : [value])
      } else sum[name] ??= value
    }
    return sum
  }

  /** Some children of one SDK, under one name of a model: a gateway may call any of them so. */
  const children = (kinds: Counts[]) => fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 12 })
  const cases: [string, Counts[], UsageSender][] = [
    ['npm weave', [anthropic, anthropicStreamedByNpm, openAi, openAiResponses], unknownSender],
    ['Python before 0.53.2', [anthropic, openAiByPython, openAiResponsesByPython, liteLlm], python],
    ['Python since 0.53.2', [anthropicByPython, openAiByPython, geminiByPython, liteLlm], pythonWithCached],
  ]
  for (const [name, kinds, sender] of cases) {
    testProperty(
      `of ${name} has the tokens of its children, whatever their providers`,
      children(kinds),
      { runs: 300 },
      (usages) => {
        // Of children that count no written tokens a sum may have none either.
        const each = usages.map((usage) => toNumbers(usage, sender))
        const expected = each.reduce((sum, numbers) => sum.map((value, index) => value + (numbers[index] ?? 0)))
        expect(toNumbers(addUp(usages), sender)).toEqual(expected)
      },
    )
  }

  test('of an Anthropic and an OpenAI child counts each as its provider does', () => {
    expect(toNumbers(addUp([anthropic, openAi]))).toEqual([210, 35, 245, 140, 10])
  })
})

const countNames = [
  'input_tokens',
  'prompt_tokens',
  'gross_input_tokens',
  'output_tokens',
  'completion_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'reasoning_tokens',
  'thoughts_tokens',
]
const anyCounts = fc.dictionary(fc.constantFrom(...countNames), fc.nat(50))
testProperty(
  'no part of a usage is larger than the whole, whatever a client sends',
  fc.tuple(anyCounts, fc.dictionary(fc.constantFrom('cached_tokens', 'audio_tokens', 'reasoning_tokens'), fc.nat(50))),
  { runs: 1000 },
  ([counts, parts]) => {
    const sent = { ...counts, prompt_tokens_details: parts, completion_tokens_details: parts, cache_creation: parts }
    const usage = parseUsage({ m: sent }).get('m') as Usage & { details: Record<string, number> } // every model sent is there
    expect(usage.cache_read_input_tokens + usage.cache_creation_input_tokens).toBeLessThanOrEqual(usage.prompt_tokens)
    expect(usage.details['reasoningTokens']).toBeLessThanOrEqual(usage.completion_tokens)
    expect(usage.prompt_tokens + usage.completion_tokens).toBeLessThanOrEqual(usage.total_tokens)
  },
)
