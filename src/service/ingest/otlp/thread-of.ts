import type { Attributes, Json } from './span'

export type SpanThread = { threadId: string; isConversation: boolean; isTurn: boolean }

/** The first that is named counts. Conversations and sessions are whatever tracing library's, which mark no turns. */
const threadKeys = [
  { key: 'wandb.thread_id', isConversation: false },
  { key: 'gcp.vertex.agent.session_id', isConversation: false },
  { key: 'gen_ai.conversation.id', isConversation: true },
  { key: 'session.id', isConversation: true },
]

/** The thread a span says it is in. A span that says it is a turn is one, wherever it stands. */
export function threadOf(attributes: Attributes): SpanThread | undefined {
  for (const { key, isConversation } of threadKeys) {
    const value = attributes.get(key)
    const threadId = typeof value === 'number' ? String(value) : value
    if (typeof threadId !== 'string' || threadId === '') continue
    const isTurn = isTruthy(attributes.get('wandb.is_turn'))
    return { threadId, isConversation: isConversation && !isTurn, isTurn }
  }
  return undefined
}

/** Environments and headers carry text only, so 'false' means what it says. */
function isTruthy(value: Json | undefined): boolean {
  return typeof value === 'string' ? !/^(?:|0|false)$/i.test(value) : Boolean(value)
}
