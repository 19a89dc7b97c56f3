import { type AttributeReader, toText } from './attributes/attribute-reader'
import { findThreadSources, readValue } from './conventions/conventions'
import type { Json } from './attributes/attributes'

/** `isConversation`: whether the span is a turn is decided by its place in the trace. `isTurn`: the span says it is one. */
export type SpanThread = { threadId: string; isConversation: boolean; isTurn: boolean }

/** The first thread that the attributes name. A span that says it is a turn is one, wherever it stands in its trace. */
export function readSpanThread(span: AttributeReader): SpanThread | undefined {
  for (const { source, isConversation } of findThreadSources(span)) {
    const threadId = toText(readValue(span, source))
    if (threadId === undefined) continue
    const isTurn = isTruthy(span.get('wandb.is_turn'))
    return { threadId, isConversation: isConversation && !isTurn, isTurn }
  }
  return undefined
}

/** Environment variables and headers carry only text, so the text 'false' is false. */
function isTruthy(value: Json | undefined): boolean {
  return typeof value === 'string' ? !/^(?:|0|false)$/i.test(value) : Boolean(value)
}
