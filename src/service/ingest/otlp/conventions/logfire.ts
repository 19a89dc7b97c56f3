import { type SemanticConvention, type ValueSource, within } from './semantic-convention'

/** Logfire's own instrumentation of OpenAI and Anthropic, beside OpenTelemetry's. https://logfire.pydantic.dev/docs/ */
export const logfire: SemanticConvention = {
  model: [within('request_data', 'model')],
  // The name of a span is its template: "Chat Completion with {request_data[model]!r}".
  displayName: ['logfire.msg'],
  modelParameters: {
    temperature: [within('request_data', 'temperature')],
    max_tokens: [
      within('request_data', 'max_tokens'),
      within('request_data', 'max_completion_tokens'),
      within('request_data', 'max_output_tokens'),
    ],
    top_p: [within('request_data', 'top_p')],
    seed: [within('request_data', 'seed')],
  },
  inputs: [['request_data']],
  output: [['response_data']],
  tokens: {
    cache_read_input_tokens: [
      ofRawUsage('prompt_tokens_details.cached_tokens'),
      ofRawUsage('input_tokens_details.cached_tokens'),
      ofRawUsage('cache_read_input_tokens'),
      within('response_data', 'usage.prompt_tokens_details.cached_tokens'),
      within('response_data', 'usage.input_tokens_details.cached_tokens'),
    ],
    cache_creation_input_tokens: [ofRawUsage('cache_creation_input_tokens')],
    reasoning_tokens: [
      ofRawUsage('completion_tokens_details.reasoning_tokens'),
      ofRawUsage('output_tokens_details.reasoning_tokens'),
      within('response_data', 'usage.completion_tokens_details.reasoning_tokens'),
      within('response_data', 'usage.output_tokens_details.reasoning_tokens'),
    ],
  },
}

/** The usage as the provider sent it; the attributes beside it have input and output only (Logfire 5). */
function ofRawUsage(path: string): ValueSource {
  return within('gen_ai.usage.raw', path)
}
