import type { AttributeReader } from '../attributes/attribute-reader'
import type { PayloadKeys, SemanticConvention, ValueSource } from './semantic-convention'

const kindKey = 'mastra.span.type'

/**
 * Mastra's exporter (npm `@mastra/otel-exporter`) beside OpenTelemetry's conventions, which it follows: 1.x, then 0.x.
 * https://mastra.ai/docs/observability/tracing/exporters/otel
 */
export const mastra: SemanticConvention = {
  // The AI SDK's name, with the API that is called: `openai.chat`.
  provider: [{ keys: [kindKey], read: readProvider }],
  kind: [kindKey],
  agent_id: ['agent.id'],
  user: ['mastra.metadata.userId'],
  conversationId: ['mastra.metadata.threadId', 'mastra.metadata.sessionId', ofOldSpan('threadId'), ofOldSpan('sessionId')],
  inputs: [payloadOfKind('input'), ['gen_ai.tool.input']],
  output: [payloadOfKind('output'), ['gen_ai.tool.output']],
  tokens: {
    cache_read_input_tokens: ['gen_ai.usage.cached_input_tokens'],
    input_audio_tokens: ['gen_ai.usage.audio_input_tokens'],
    output_audio_tokens: ['gen_ai.usage.audio_output_tokens'],
  },
}

function readProvider(span: AttributeReader): string | undefined {
  return span.get(kindKey) === undefined ? undefined : span.text('gen_ai.provider.name')?.split('.', 1)[0]
}

/** `mastra.agent_run.input`, `mastra.workflow_step.input` ... */
function payloadOfKind(side: 'input' | 'output'): PayloadKeys {
  const choose = (span: AttributeReader) => {
    const kind = span.text(kindKey)?.toLowerCase()
    return kind === undefined ? [] : [`mastra.${kind}.${side}`]
  }
  return { keys: [kindKey], choose }
}

/** Version 0.x sends metadata without a prefix. */
function ofOldSpan(key: string): ValueSource {
  return { keys: [key], read: (span) => (span.get('mastra.span_id') === undefined ? undefined : span.get(key)) }
}
