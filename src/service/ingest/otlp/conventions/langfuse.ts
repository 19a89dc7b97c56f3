import type { AttributeReader } from '../attributes/attribute-reader'
import { type SemanticConvention, type ValueSource, within } from './semantic-convention'

const usageKey = 'langfuse.observation.usage_details'
const levelKey = 'langfuse.observation.level'

/**
 * Langfuse's SDKs for Python (v3) and JavaScript (v4). https://langfuse.com/integrations/native/opentelemetry
 *
 * The kinds of tokens in `usage_details` exclude each other: `input` are the tokens that no other `input_*` counts. Where
 * the usage of OpenAI or Anthropic was passed on as it is, it has their names and their meaning.
 */
export const langfuse: SemanticConvention = {
  model: ['langfuse.observation.model.name'],
  kind: ['langfuse.observation.type'],
  user: ['langfuse.user.id', 'langfuse.trace.metadata.langfuse_user_id', 'langfuse.observation.metadata.langfuse_user_id'],
  conversationId: [
    'langfuse.session.id',
    'langfuse.trace.metadata.langfuse_session_id',
    'langfuse.observation.metadata.langfuse_session_id',
  ],
  modelParameterMaps: ['langfuse.observation.model.parameters'],
  error: [{ keys: [levelKey], read: readError }],
  inputs: [['langfuse.observation.input'], ['langfuse.trace.input']],
  output: [['langfuse.observation.output'], ['langfuse.trace.output']],
  tokens: {
    input_tokens: [ofUsage('prompt_tokens'), sumOfKinds('input')],
    output_tokens: [ofUsage('completion_tokens'), sumOfKinds('output')],
    total_tokens: [ofUsage('total'), ofUsage('total_tokens')],
    cache_read_input_tokens: [
      ofUsage('prompt_tokens_details.cached_tokens'),
      ofUsage('input_tokens_details.cached_tokens'),
      ofUsage('input_cached_tokens'),
      ofUsage('input_cache_read'),
      ofUsage('cache_read_input_tokens'),
    ],
    cache_creation_input_tokens: [ofUsage('input_cache_creation'), ofUsage('cache_creation_input_tokens')],
    reasoning_tokens: [
      ofUsage('completion_tokens_details.reasoning_tokens'),
      ofUsage('output_tokens_details.reasoning_tokens'),
      ofUsage('output_reasoning_tokens'),
      ofUsage('output_reasoning'),
    ],
    input_audio_tokens: [ofUsage('prompt_tokens_details.audio_tokens'), ofUsage('input_audio_tokens'), ofUsage('input_audio')],
    output_audio_tokens: [
      ofUsage('completion_tokens_details.audio_tokens'),
      ofUsage('output_audio_tokens'),
      ofUsage('output_audio'),
    ],
  },
}

function readError(span: AttributeReader): string | undefined {
  return span.get(levelKey) === 'ERROR' ? (span.text('langfuse.observation.status_message') ?? 'error') : undefined
}

function ofUsage(path: string): ValueSource {
  return within(usageKey, path)
}

/** `input` and all kinds beside it, Anthropic's names among them. */
function sumOfKinds(side: 'input' | 'output'): ValueSource {
  const isOfSide = (kind: string) =>
    kind === side || kind.startsWith(`${side}_`) || (side === 'input' && /^cache_(?:read|creation)_input_tokens$/.test(kind))
  const read = (span: AttributeReader) => {
    const counts = Object.entries(span.map(usageKey) ?? {}).flatMap(([kind, count]) =>
      isOfSide(kind) && typeof count === 'number' ? [count] : [],
    )
    return counts.length > 0 ? counts.reduce((sum, count) => sum + count, 0) : undefined
  }
  return { keys: [usageKey], read }
}
