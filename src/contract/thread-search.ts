import * as z from 'zod/mini'
import type { ClientEndpoint } from './endpoint'
import type { SearchThreads } from './thread-search-requests'
import { Thread } from './threads'

/** What all calls of a thread spent in one currency: decimal text without an exponent. */
const ThreadCost = z.object({ currency: z.string(), total: z.string() })
export type ThreadCost = z.infer<typeof ThreadCost>

/**
 * A thread with figures of all calls of its turns. Tokens and money count what each call spent itself, so they are those of
 * `/threads/usage`.
 */
export const FoundThread = z.extend(Thread, {
  /** Calls that failed themselves, turns included. */
  error_count: z.number(),
  /** Prompt and completion tokens. */
  total_tokens: z.number(),
  /** By currency code. */
  costs: z.array(ThreadCost),
  /** Calls with tokens that have no known price. `costs` does not include these tokens. */
  unpriced_call_count: z.number(),
  /** By name. */
  models: z.array(z.string()),
})
export type FoundThread = z.infer<typeof FoundThread>

/**
 * Finds threads by what their calls contain. Filters combine with AND; each looks at every call of the turns that start
 * between the bounds, so two filters may hold for two calls of a thread. A Spool extension.
 */
export const searchThreads: ClientEndpoint<typeof SearchThreads, typeof FoundThread, true> = {
  method: 'POST',
  path: '/threads/search',
  response: FoundThread,
  streams: true,
  places: {},
}
