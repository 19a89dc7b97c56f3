import { conversationIdKeys, threadIdKeys } from './conventions/conventions'
import type { Attributes, Json } from './message'

/** `isConversation`: whether the span is a turn is decided by its place in the trace. `isTurn`: the span says it is one. */
export type SpanThread = { threadId: string; isConversation: boolean; isTurn: boolean }

const threadKeys = [
  ...threadIdKeys.map((key) => ({ key, isConversation: false })),
  ...conversationIdKeys.map((key) => ({ key, isConversation: true })),
]

/** The first thread that the attributes name. A span that says it is a turn is one, wherever it stands in its trace. */
export function readSpanThread(attributes: Attributes): SpanThread | undefined {
  for (const { key, isConversation } of threadKeys) {
    const value = attributes.get(key)
    const threadId = typeof value === 'number' ? String(value) : value
    if (typeof threadId !== 'string' || threadId === '') continue
    const isTurn = isTruthy(attributes.get('wandb.is_turn'))
    return { threadId, isConversation: isConversation && !isTurn, isTurn }
  }
  return undefined
}

/** Environment variables and headers carry only text, so the text 'false' is false. */
function isTruthy(value: Json | undefined): boolean {
  return typeof value === 'string' ? !/^(?:|0|false)$/i.test(value) : Boolean(value)
}
