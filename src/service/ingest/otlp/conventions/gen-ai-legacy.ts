import type { Family } from './family'

/** The same conventions before messages became one attribute, and before tokens were input and output. */
export const genAiLegacy: Family = {
  provider: ['gen_ai.system'],
  inputs: [['gen_ai.prompt'], ['gen_ai.content.prompt']],
  output: [['gen_ai.completion'], ['gen_ai.content.completion']],
  tokens: {
    input_tokens: ['gen_ai.usage.prompt_tokens'],
    output_tokens: ['gen_ai.usage.completion_tokens'],
  },
}
