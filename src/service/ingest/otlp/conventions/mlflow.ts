import type { Json } from '../attributes/attributes'
import { type SemanticConvention, type ValueSource, within } from './semantic-convention'

/** MLflow's tracing SDKs. Every attribute is JSON text, a text too. https://mlflow.org/docs/latest/genai/tracing/ */
export const mlflow: SemanticConvention = {
  model: [unquoted('mlflow.llm.model')],
  provider: [unquoted('mlflow.llm.provider')],
  kind: [unquoted('mlflow.spanType')],
  user: [unquoted('mlflow.trace.user')],
  conversationId: [unquoted('mlflow.trace.session')],
  inputs: [['mlflow.spanInputs', 'mlflow.chat.tools']],
  output: [['mlflow.spanOutputs']],
  tokens: {
    input_tokens: [ofUsage('input_tokens')],
    output_tokens: [ofUsage('output_tokens')],
    total_tokens: [ofUsage('total_tokens')],
    cache_read_input_tokens: [ofUsage('cache_read_input_tokens')],
    cache_creation_input_tokens: [ofUsage('cache_creation_input_tokens')],
  },
}

function ofUsage(path: string): ValueSource {
  return within('mlflow.chat.tokenUsage', path)
}

function unquoted(key: string): ValueSource {
  return { keys: [key], read: (span) => unquote(span.text(key)) }
}

function unquote(text: string | undefined): Json | undefined {
  if (text === undefined || !/^".*"$/s.test(text)) return text
  try {
    const parsed: Json = JSON.parse(text)
    return parsed
  } catch {
    // A text that only looks quoted.
    return text
  }
}
