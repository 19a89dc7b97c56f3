import type { AttributeReader } from '../attributes/attribute-reader'
import type { SemanticConvention } from './semantic-convention'

/** The GenAI conventions of 2024, when a message was an event or a group of attributes, and tokens were prompt and completion. */
export const genAiLegacy: SemanticConvention = {
  provider: ['gen_ai.system'],
  system: ['gen_ai.system'],
  finishReasons: [{ keys: ['gen_ai.completion'], read: readFinishReasons }],
  inputs: [['gen_ai.prompt'], ['gen_ai.content.prompt']],
  output: [['gen_ai.completion'], ['gen_ai.content.completion']],
  payloadEvents: ['gen_ai.content.prompt', 'gen_ai.content.completion'],
  messageEvents: {
    'gen_ai.system.message': 'system',
    'gen_ai.user.message': 'user',
    'gen_ai.assistant.message': 'assistant',
    'gen_ai.tool.message': 'tool',
  },
  choiceEvents: ['gen_ai.choice'],
  tokens: {
    input_tokens: ['gen_ai.usage.prompt_tokens'],
    output_tokens: ['gen_ai.usage.completion_tokens'],
  },
}

/** `gen_ai.completion.0.finish_reason`, `gen_ai.completion.1.finish_reason` ... */
function readFinishReasons(span: AttributeReader) {
  return [...span.attributes].flatMap(([key, value]) => (/^gen_ai\.completion\.\d+\.finish_reason$/.test(key) ? [value] : []))
}
