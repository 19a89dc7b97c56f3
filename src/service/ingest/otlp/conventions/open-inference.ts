import type { AttributeReader } from '../attributes/attribute-reader'
import type { SemanticConvention } from './semantic-convention'

const outputKeys = ['output.value', 'llm.output_messages']

/** https://arize-ai.github.io/openinference/spec/semantic_conventions.html */
export const openInference: SemanticConvention = {
  model: ['llm.response.model_name', 'llm.model_name', 'llm.request.model_name', 'embedding.model_name', 'reranker.model_name'],
  provider: ['llm.provider', 'llm.system'],
  system: ['llm.system'],
  kind: ['openinference.span.kind'],
  agent: ['agent.name'],
  user: ['user.id'],
  tool: ['tool.name'],
  tool_call_id: ['tool.id'],
  conversationId: ['session.id'],
  finishReasons: ['llm.finish_reason'],
  modelParameterMaps: ['llm.invocation_parameters'],
  inputs: [['input.value'], ['llm.input_messages', 'llm.tools'], ['llm.prompts'], ['tool.parameters']],
  output: [
    // LlamaIndex sends a reply that only calls tools as the text 'assistant: None'.
    { keys: outputKeys, choose: (span) => (hasToolCallsBeside(span) ? outputKeys : ['output.value']) },
    ['llm.output_messages'],
  ],
  mimeType: { 'input.value': 'input.mime_type', 'output.value': 'output.mime_type' },
  tokens: {
    input_tokens: ['llm.token_count.prompt'],
    output_tokens: ['llm.token_count.completion'],
    total_tokens: ['llm.token_count.total'],
    cache_read_input_tokens: ['llm.token_count.prompt_details.cache_read', 'llm.token_count.prompt_details.cache_input'],
    cache_creation_input_tokens: ['llm.token_count.prompt_details.cache_write'],
    reasoning_tokens: ['llm.token_count.completion_details.reasoning'],
    input_audio_tokens: ['llm.token_count.prompt_details.audio'],
    output_audio_tokens: ['llm.token_count.completion_details.audio'],
  },
}

function hasToolCallsBeside(span: AttributeReader): boolean {
  if (span.get('output.mime_type') === 'application/json') return false
  return [...span.attributes.keys()].some((key) => /^llm\.output_messages\.\d+\.message\.tool_calls\./.test(key))
}
