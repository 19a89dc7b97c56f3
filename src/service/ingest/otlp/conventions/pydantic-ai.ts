import type { SemanticConvention } from './semantic-convention'

/**
 * Pydantic AI beside OpenTelemetry's conventions, which it follows, in all versions of its `InstrumentationSettings`.
 * https://ai.pydantic.dev/logfire/
 */
export const pydanticAi: SemanticConvention = {
  model: ['model_name'],
  agent: ['agent_name'],
  inputs: [['pydantic_ai.all_messages'], ['tool_arguments']],
  output: [['final_result'], ['tool_response']],
  messageLists: ['events', 'all_messages_events'],
  tokens: {
    cache_read_input_tokens: ['gen_ai.usage.details.cache_read_tokens', 'gen_ai.usage.details.cached_tokens'],
    cache_creation_input_tokens: ['gen_ai.usage.details.cache_write_tokens'],
    reasoning_tokens: ['gen_ai.usage.details.reasoning_tokens'],
    input_audio_tokens: ['gen_ai.usage.details.input_audio_tokens'],
    output_audio_tokens: ['gen_ai.usage.details.output_audio_tokens'],
  },
}
