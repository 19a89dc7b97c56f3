import type { SemanticConvention, ValueSource } from './semantic-convention'

/** Logfire's own instrumentation of OpenAI and Anthropic, beside OpenTelemetry's. https://logfire.pydantic.dev/docs/ */
export const logfire: SemanticConvention = {
  model: [ofRequest('model')],
  modelParameters: {
    temperature: [ofRequest('temperature')],
    max_tokens: [ofRequest('max_tokens'), ofRequest('max_completion_tokens'), ofRequest('max_output_tokens')],
    top_p: [ofRequest('top_p')],
    seed: [ofRequest('seed')],
  },
  inputs: [['request_data']],
  output: [['response_data']],
  tokens: {
    cache_read_input_tokens: [
      ofRawUsage('prompt_tokens_details.cached_tokens'),
      ofRawUsage('input_tokens_details.cached_tokens'),
      ofRawUsage('cache_read_input_tokens'),
      ofResponse('usage.prompt_tokens_details.cached_tokens'),
      ofResponse('usage.input_tokens_details.cached_tokens'),
    ],
    cache_creation_input_tokens: [ofRawUsage('cache_creation_input_tokens')],
    reasoning_tokens: [
      ofRawUsage('completion_tokens_details.reasoning_tokens'),
      ofRawUsage('output_tokens_details.reasoning_tokens'),
      ofResponse('usage.completion_tokens_details.reasoning_tokens'),
      ofResponse('usage.output_tokens_details.reasoning_tokens'),
    ],
  },
}

function ofRequest(path: string): ValueSource {
  return (span) => span.within('request_data', path)
}

function ofResponse(path: string): ValueSource {
  return (span) => span.within('response_data', path)
}

/** The usage as the provider sent it; the attributes beside it have input and output only (Logfire 5). */
function ofRawUsage(path: string): ValueSource {
  return (span) => span.within('gen_ai.usage.raw', path)
}
