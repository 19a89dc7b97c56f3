import type { ReplyUsage } from './model-endpoints/choose-reply'
import type { ServedReply } from './model-endpoints/endpoint'

/** What a client sends of a usage: these counts only. */
export function only(...counts: readonly (keyof ReplyUsage)[]) {
  return ({ usage }: ServedReply): ReplyUsage => {
    const sent = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }
    for (const count of counts) sent[count] = usage[count]
    return sent
  }
}
