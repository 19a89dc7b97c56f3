import * as z from 'zod/mini'

const channelName = 'spool.passwords'
/** Open tabs answer within milliseconds. */
const maxWaitMs = 200

const Message = z.object({
  type: z.enum(['ask', 'tell', 'forget']),
  connectionId: z.string(),
  password: z.optional(z.string()),
})
type Message = z.infer<typeof Message>

/**
 * Asks the other tabs of this browser for the password of a connection, so that a tab opened with Ctrl-click is signed in.
 * It passes only between tabs of this origin, and is stored only for the life of each: it ends with the last of them.
 */
export function askOtherTabs(connectionId: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const channel = openChannel((message) => {
      if (message.type === 'tell' && message.connectionId === connectionId) finish(message.password)
    })
    const finish = (password?: string) => {
      clearTimeout(timer)
      channel.close()
      resolve(password)
    }
    const timer = setTimeout(finish, maxWaitMs)
    channel.post({ type: 'ask', connectionId })
  })
}

type Answers = {
  /** Undefined for what this tab does not have, or must not tell. */
  passwordOf: (connectionId: string) => string | undefined
  /** The person has signed out in another tab. */
  onForget: (connectionId: string) => void
}

/** Answers the questions of other tabs. `forget` tells them that the person has signed out. */
export function answerOtherTabs({ passwordOf, onForget }: Answers) {
  const channel = openChannel(({ type, connectionId }) => {
    if (type === 'forget') onForget(connectionId)
    const password = type === 'ask' ? passwordOf(connectionId) : undefined
    if (password !== undefined) channel.post({ type: 'tell', connectionId, password })
  })
  return {
    forget: (connectionId: string) => channel.post({ type: 'forget', connectionId }),
    close: channel.close,
  }
}

function openChannel(onMessage: (message: Message) => void) {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = Message.safeParse(data)
    if (message.success) onMessage(message.data)
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel reaches its own origin only
  return { post: (message: Message) => channel.postMessage(message), close: () => channel.close() }
}
