import type { AttributeReader } from '../attributes/attribute-reader'
import type { SemanticConvention, ValueSource } from './semantic-convention'

/**
 * The spans of Vercel's AI SDK (npm `ai`, versions 4 to 7): `ai.*`, beside some attributes of OpenTelemetry. Version 7 sends
 * OpenTelemetry's alone, unless asked for these. https://ai-sdk.dev/docs/ai-sdk-core/telemetry
 */
export const vercelAi: SemanticConvention = {
  model: ['ai.response.model', 'ai.model.id'],
  provider: [{ keys: ['ai.model.provider'], read: readProvider }],
  operation: ['ai.operationId'],
  agent: ['ai.telemetry.functionId'],
  user: ['ai.telemetry.metadata.userId', 'ai.settings.context.userId'],
  response_id: ['ai.response.id'],
  tool: ['ai.toolCall.name'],
  tool_call_id: ['ai.toolCall.id'],
  conversationId: ['ai.telemetry.metadata.sessionId', 'ai.settings.context.sessionId'],
  finishReasons: ['ai.response.finishReason'],
  modelParameters: {
    temperature: ['ai.settings.temperature'],
    max_tokens: ['ai.settings.maxOutputTokens', 'ai.settings.maxTokens'],
    top_p: ['ai.settings.topP'],
    top_k: ['ai.settings.topK'],
    frequency_penalty: ['ai.settings.frequencyPenalty'],
    presence_penalty: ['ai.settings.presencePenalty'],
    seed: ['ai.settings.seed'],
    stop_sequences: ['ai.settings.stopSequences'],
  },
  inputs: [
    ['ai.prompt.messages', 'ai.prompt.tools'],
    ['ai.prompt'],
    ['ai.toolCall.args'],
    ['ai.value'],
    ['ai.values'],
    ['ai.documents'],
  ],
  output: [
    ['ai.response.text', 'ai.response.reasoning', 'ai.response.toolCalls', 'ai.response.object', 'ai.response.files'],
    ['ai.toolCall.result'],
    ['ai.embedding'],
    ['ai.embeddings'],
    ['ai.ranking'],
  ],
  tokens: {
    input_tokens: ['ai.usage.inputTokens', 'ai.usage.promptTokens', 'ai.usage.tokens'],
    output_tokens: ['ai.usage.outputTokens', 'ai.usage.completionTokens'],
    total_tokens: ['ai.usage.totalTokens'],
    cache_read_input_tokens: [
      'ai.usage.inputTokenDetails.cacheReadTokens',
      'ai.usage.cachedInputTokens',
      ofProvider('anthropic.cacheReadInputTokens'),
      ofProvider('anthropic.usage.cache_read_input_tokens'),
      ofProvider('bedrock.usage.cacheReadInputTokens'),
    ],
    cache_creation_input_tokens: [
      'ai.usage.inputTokenDetails.cacheWriteTokens',
      ofProvider('anthropic.cacheCreationInputTokens'),
      ofProvider('anthropic.usage.cache_creation_input_tokens'),
      ofProvider('bedrock.usage.cacheWriteInputTokens'),
    ],
    reasoning_tokens: ['ai.usage.outputTokenDetails.reasoningTokens', 'ai.usage.reasoningTokens'],
  },
  // Up to version 5, these two providers leave cached tokens out; version 6 adds them and sends details.
  cachedBeside: (span) => /^(?:anthropic|amazon-bedrock)\b/.test(span.text('ai.model.provider') ?? '') && !hasTokenDetails(span),
}

/** `openai.chat` is OpenAI: the rest of the name is the API that is called. */
function readProvider(span: AttributeReader): string | undefined {
  return span.text('ai.model.provider')?.split('.', 1)[0]
}

/** Up to version 5, only the provider's own metadata tell of tokens written to a cache. */
function ofProvider(path: string): ValueSource {
  const key = 'ai.response.providerMetadata'
  return { keys: [key], read: (span) => (hasTokenDetails(span) ? undefined : span.within(key, path)) }
}

function hasTokenDetails(span: AttributeReader): boolean {
  return (
    span.get('ai.usage.inputTokenDetails.noCacheTokens') !== undefined ||
    span.get('gen_ai.usage.cache_read.input_tokens') !== undefined
  )
}
