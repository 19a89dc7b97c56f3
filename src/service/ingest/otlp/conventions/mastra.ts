import type { AttributeReader } from '../attributes/attribute-reader'
import type { SemanticConvention } from './semantic-convention'

/**
 * Mastra's exporter (npm `@mastra/otel-exporter`) beside OpenTelemetry's conventions, which it follows: 1.x, then 0.x.
 * https://mastra.ai/docs/observability/tracing/exporters/otel
 */
export const mastra: SemanticConvention = {
  // The AI SDK's name, with the API that is called: `openai.chat`.
  provider: [(span) => (isOfMastra(span) ? span.text('gen_ai.provider.name')?.split('.', 1)[0] : undefined)],
  kind: ['mastra.span.type'],
  agent_id: ['agent.id'],
  user: ['mastra.metadata.userId'],
  conversationId: ['mastra.metadata.threadId', 'mastra.metadata.sessionId', ofOldSpan('threadId'), ofOldSpan('sessionId')],
  inputs: [(span) => payloadKeys(span, 'input'), ['gen_ai.tool.input']],
  output: [(span) => payloadKeys(span, 'output'), ['gen_ai.tool.output']],
  tokens: {
    cache_read_input_tokens: ['gen_ai.usage.cached_input_tokens'],
    input_audio_tokens: ['gen_ai.usage.audio_input_tokens'],
    output_audio_tokens: ['gen_ai.usage.audio_output_tokens'],
  },
}

function isOfMastra(span: AttributeReader): boolean {
  return span.get('mastra.span.type') !== undefined
}

/** `mastra.agent_run.input`, `mastra.workflow_step.input` ... */
function payloadKeys(span: AttributeReader, side: 'input' | 'output'): string[] {
  const kind = span.text('mastra.span.type')?.toLowerCase()
  return kind === undefined ? [] : [`mastra.${kind}.${side}`]
}

/** Version 0.x sends metadata without a prefix. */
function ofOldSpan(key: string) {
  return (span: AttributeReader) => (span.get('mastra.span_id') === undefined ? undefined : span.get(key))
}
