import type { AttributeReader } from '../attributes/attribute-reader'
import type { SemanticConvention } from './semantic-convention'

const messageKeys = ['gen_ai.system_instructions', 'gen_ai.input.messages'] as const

/**
 * OpenTelemetry's current semantic conventions for generative AI, and their general ones for users and errors.
 * https://github.com/open-telemetry/semantic-conventions-genai
 */
export const genAi: SemanticConvention = {
  model: ['gen_ai.response.model', 'gen_ai.request.model'],
  provider: ['gen_ai.provider.name'],
  operation: ['gen_ai.operation.name'],
  agent: ['gen_ai.agent.name'],
  agent_id: ['gen_ai.agent.id'],
  user: ['user.id', 'enduser.id'],
  response_id: ['gen_ai.response.id'],
  tool: ['gen_ai.tool.name'],
  tool_call_id: ['gen_ai.tool.call.id'],
  conversationId: ['gen_ai.conversation.id'],
  finishReasons: ['gen_ai.response.finish_reasons'],
  modelParameterMaps: ['gen_ai.request'],
  error: ['error.message', 'error.type'],
  inputs: [
    // Tools alone are no input: Google's Agent Development Kit has the messages in attributes of its own.
    { keys: messageKeys, choose: (span) => (hasMessages(span) ? [...messageKeys, 'gen_ai.tool.definitions'] : messageKeys) },
    ['gen_ai.tool.call.arguments'],
    ['gen_ai.retrieval.query.text'],
  ],
  output: [['gen_ai.output.messages'], ['gen_ai.tool.call.result'], ['gen_ai.retrieval.documents']],
  payloadEvents: ['gen_ai.client.inference.operation.details'],
  tokens: {
    input_tokens: ['gen_ai.usage.input_tokens'],
    output_tokens: ['gen_ai.usage.output_tokens'],
    total_tokens: ['gen_ai.usage.total_tokens'],
    cache_read_input_tokens: ['gen_ai.usage.cache_read.input_tokens', 'gen_ai.usage.cache_read_input_tokens'],
    cache_creation_input_tokens: [
      'gen_ai.usage.cache_creation.input_tokens',
      'gen_ai.usage.cache_creation_input_tokens',
      // Anthropic's SDK for JavaScript, whose spans stand below those of an instrumentation (seen in 1.12.0).
      'gen_ai.usage.cache_write.input_tokens',
    ],
    reasoning_tokens: ['gen_ai.usage.reasoning.output_tokens', 'gen_ai.usage.reasoning_tokens'],
    input_audio_tokens: ['gen_ai.usage.audio.input_tokens'],
    output_audio_tokens: ['gen_ai.usage.audio.output_tokens'],
  },
}

function hasMessages({ attributes }: AttributeReader): boolean {
  return [...attributes.keys()].some((sent) => messageKeys.some((key) => sent === key || sent.startsWith(`${key}.`)))
}
