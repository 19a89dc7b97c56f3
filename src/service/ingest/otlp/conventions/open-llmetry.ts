import type { SemanticConvention } from './semantic-convention'

/** What Traceloop's OpenLLMetry adds to the GenAI conventions, and what it used before them. */
export const openLlmetry: SemanticConvention = {
  model: ['llm.response.model', 'llm.request.model'],
  provider: ['llm.vendor'],
  operation: ['llm.request.type'],
  kind: ['traceloop.span.kind'],
  user: ['traceloop.association.properties.user_id'],
  conversationId: ['traceloop.association.properties.session_id'],
  modelParameters: {
    top_k: ['llm.top_k'],
    frequency_penalty: ['llm.frequency_penalty'],
    presence_penalty: ['llm.presence_penalty'],
    stop_sequences: ['llm.chat.stop_sequences'],
  },
  inputs: [['traceloop.entity.input'], ['llm.prompts']],
  output: [['traceloop.entity.output'], ['llm.completions']],
  tokens: {
    input_tokens: ['llm.usage.prompt_tokens'],
    output_tokens: ['llm.usage.completion_tokens'],
    total_tokens: ['llm.usage.total_tokens'],
    cache_read_input_tokens: ['llm.usage.cache_read_input_tokens'],
    cache_creation_input_tokens: ['llm.usage.cache_creation_input_tokens'],
    reasoning_tokens: ['llm.usage.reasoning_tokens'],
  },
  // Seen in 0.27.0. Its counterpart for Python adds them up.
  cachedBeside: ({ scope }) => scope.name === '@traceloop/instrumentation-anthropic',
}
