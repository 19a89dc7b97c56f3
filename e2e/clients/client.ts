import type { ReplyUsage } from './model-endpoints/choose-reply'
import type { ServedReply } from './model-endpoints/endpoint'

/** What Spool must know about the calls of a client: the columns of the table. */
export const aspects = [
  'arrives',
  'model',
  'tokens',
  'cached',
  'reasoning',
  'cost',
  'thread and turn',
  'inputs and outputs',
  'error',
] as const
export type Aspect = (typeof aspects)[number]

/** What is said in the conversation. */
export const conversationTexts = ['question', 'tool call', 'tool result', 'reply', 'streamed reply'] as const
export type ConversationText = (typeof conversationTexts)[number]

/**
 * A program in a file of its own, with an unmodified client, and what Spool must know after it ran. Every program has the same
 * conversation in the thread `THREAD_ID`: it asks "What is the weather in Paris?" with the tool `get_weather`, which returns
 * "21 degrees in Paris"; it says "Say hello" and reads the reply as a stream; and it says "Please fail", which the model refuses.
 */
export type Client = {
  /** The program's file without its extension. */
  name: string
  /** How many turns the thread must have. */
  turnCount: number
  /** What the client sends of the usage of a reply, where that is not all. */
  usage?: { toSent: (reply: ServedReply) => ReplyUsage; reason: string }
  /** A library whose spans report responses that those of another library report too, which count. */
  repeatingLibrary?: string
  /** Texts of the conversation that the client does not send. */
  texts?: { unsent: readonly ConversationText[]; reason: string }
  /** What else the client does not send, with the reason. */
  notSent?: Partial<Readonly<Record<Aspect, string>>>
}

export type Language = {
  name: string
  clients: readonly Client[]
  /** Installs the packages of all clients. Returns the reason if that is not possible here. */
  install: () => Promise<string | undefined>
  toCommand: (client: Client) => readonly [file: string, ...parameters: string[]]
}
