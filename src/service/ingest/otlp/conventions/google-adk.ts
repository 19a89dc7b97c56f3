import { type SemanticConvention, within } from './semantic-convention'

const requestKey = 'gcp.vertex.agent.llm_request'
const responseKey = 'gcp.vertex.agent.llm_response'

/**
 * Google's Agent Development Kit, beside OpenTelemetry's conventions, which it follows. https://google.github.io/adk-docs/
 * Requests and responses are those of the Gemini API as JSON text. Spans of tools have both, empty.
 */
export const googleAdk: SemanticConvention = {
  conversationId: ['gcp.vertex.agent.session_id'],
  modelParameters: {
    temperature: [within(requestKey, 'config.temperature')],
    max_tokens: [within(requestKey, 'config.max_output_tokens')],
    top_p: [within(requestKey, 'config.top_p')],
    top_k: [within(requestKey, 'config.top_k')],
    seed: [within(requestKey, 'config.seed')],
    stop_sequences: [within(requestKey, 'config.stop_sequences')],
  },
  inputs: [['gcp.vertex.agent.tool_call_args'], [requestKey], ['gcp.vertex.agent.data']],
  output: [['gcp.vertex.agent.tool_response'], [responseKey]],
  tokens: {
    cache_read_input_tokens: [within(responseKey, 'usage_metadata.cached_content_token_count')],
    reasoning_tokens: [within(responseKey, 'usage_metadata.thoughts_token_count'), 'gen_ai.usage.experimental.reasoning_tokens'],
  },
  // Gemini counts thoughts beside the candidates, and the kit passes on the candidates.
  reasoningBeside: (span) => {
    const candidates = span.within(responseKey, 'usage_metadata.candidates_token_count')
    return candidates !== undefined && candidates === span.get('gen_ai.usage.output_tokens')
  },
}
