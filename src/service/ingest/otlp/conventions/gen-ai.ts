import type { SemanticConvention } from './semantic-convention'

/** OpenTelemetry's current semantic conventions for generative AI. https://opentelemetry.io/docs/specs/semconv/gen-ai/ */
export const genAi: SemanticConvention = {
  model: ['gen_ai.response.model', 'gen_ai.request.model'],
  provider: ['gen_ai.provider.name'],
  operation: ['gen_ai.operation.name'],
  conversationId: ['gen_ai.conversation.id'],
  inputs: [['gen_ai.system_instructions', 'gen_ai.input.messages'], ['gen_ai.tool.call.arguments']],
  output: [['gen_ai.output.messages'], ['gen_ai.tool.call.result']],
  payloadEvents: ['gen_ai.client.inference.operation.details'],
  tokens: {
    input_tokens: ['gen_ai.usage.input_tokens'],
    output_tokens: ['gen_ai.usage.output_tokens'],
    total_tokens: ['gen_ai.usage.total_tokens'],
    cache_read_input_tokens: ['gen_ai.usage.cache_read.input_tokens', 'gen_ai.usage.cache_read_input_tokens'],
    cache_creation_input_tokens: ['gen_ai.usage.cache_creation.input_tokens', 'gen_ai.usage.cache_creation_input_tokens'],
    reasoning_tokens: ['gen_ai.usage.reasoning.output_tokens', 'gen_ai.usage.reasoning_tokens'],
  },
}
