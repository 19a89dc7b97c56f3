import type { SemanticConvention } from './semantic-convention'

/** What Traceloop's OpenLLMetry adds to the GenAI conventions, and what it used before them. */
export const openLlmetry: SemanticConvention = {
  model: ['llm.response.model', 'llm.request.model'],
  provider: ['llm.vendor'],
  operation: ['llm.request.type'],
  kind: ['traceloop.span.kind'],
  inputs: [['traceloop.entity.input'], ['llm.prompts']],
  output: [['traceloop.entity.output'], ['llm.completions']],
  tokens: {
    input_tokens: ['llm.usage.prompt_tokens'],
    output_tokens: ['llm.usage.completion_tokens'],
    total_tokens: ['llm.usage.total_tokens'],
  },
}
