/** Tokens of one reply. `input` includes those read from and written to the cache, `output` includes reasoning. */
export type ReplyUsage = { input: number; cacheRead: number; cacheWrite: number; output: number; reasoning: number }

/** What the model says. It depends on the request alone, so that every client has the same conversation. */
export type Reply =
  | { kind: 'text'; text: string; usage: ReplyUsage }
  | { kind: 'tool'; name: string; input: { city: string }; usage: ReplyUsage }
  | { kind: 'error'; message: string }

export type Question = {
  /** The text of the last message; empty where it is the result of a tool. */
  text: string
  /** The result of the tool that the last message brings. */
  toolResult: string | undefined
  tools: readonly string[]
}

export const refusalMessage = 'The model refuses this request.'

/** A question with `fail` fails; one about the weather calls the first tool, and repeats what that returns. */
export function chooseReply({ text, toolResult, tools }: Question): Reply {
  const [tool] = tools
  if (text.includes('fail')) return { kind: 'error', message: refusalMessage }
  if (toolResult !== undefined) {
    const usage = { input: 1500, cacheRead: 1280, cacheWrite: 96, output: 40, reasoning: 8 }
    return { kind: 'text', text: `The weather: ${toolResult}`, usage }
  }
  if (tool !== undefined && text.includes('weather')) {
    const usage = { input: 1300, cacheRead: 1024, cacheWrite: 128, output: 48, reasoning: 16 }
    return { kind: 'tool', name: tool, input: { city: 'Paris' }, usage }
  }
  return {
    kind: 'text',
    text: `You said: ${text}`,
    usage: { input: 1400, cacheRead: 1152, cacheWrite: 64, output: 64, reasoning: 32 },
  }
}

const versions = new Map([
  ['gpt-4o', 'gpt-4o-2024-08-06'],
  ['gpt-4o-mini', 'gpt-4o-mini-2024-07-18'],
  ['gpt-5-mini', 'gpt-5-mini-2025-08-07'],
  ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929'],
  ['claude-haiku-4-5', 'claude-haiku-4-5-20251001'],
])

/** Providers reply with the version that a model's name stands for. */
export function toVersion(model: string): string {
  return versions.get(model) ?? model
}
