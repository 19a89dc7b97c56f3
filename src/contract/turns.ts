import * as z from 'zod/mini'
import { CallStatus } from './calls'
import { defineStream } from './endpoint'
import { Instant } from './instant'
import { maxThreadIdLength } from './limits'
import { ProjectId } from './project-id'
import { Count, strictRequest } from './request'
import { boundedText } from './schema'

/**
 * A turn with what its calls spent: the turn itself and the calls below it, down to the next turn of the same thread. The
 * turns of a thread add up to what `/threads/usage` says of it, except for calls of the thread that are below no turn.
 */
export const Turn = z.object({
  id: z.string(),
  trace_id: z.string(),
  /** The display name, else the name of the op without what is around it. */
  name: z.string(),
  /** How the text begins that the turn was given. Null where its inputs hold none, or are too large to look for it. */
  first_words: z.nullable(z.string()),
  started_at: Instant,
  ended_at: z.nullable(Instant),
  /** Milliseconds with the fraction that microseconds give, never below 0; null while the turn runs. */
  duration_ms: z.nullable(z.number()),
  /** `descendant_error` where a call below the turn failed and the turn did not. */
  status: CallStatus,
  /**
   * Why the turn failed, or the first call below it that failed by itself: absent where nothing failed. The message is the
   * first line of the exception, or how it begins; null where the exception says nothing.
   */
  failure: z.optional(z.object({ call_id: z.string(), call_name: z.string(), message: z.nullable(z.string()) })),
  /** The turn counts as one. */
  call_count: z.number(),
  /** The one with most tokens first. */
  models: z.array(z.string()),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  /** By currency, decimal text without an exponent. Empty where nothing that was spent has a price. */
  costs: z.array(z.object({ currency: z.string(), total: z.string() })),
  /** Calls with tokens that have no known price. `costs` does not include these tokens. */
  unpriced_call_count: z.number(),
})
export type Turn = z.infer<typeof Turn>

/** The turns of a thread by their start, turns of the same start by id. A Spool extension. */
export const streamTurns = defineStream({
  path: '/threads/turns',
  request: strictRequest({
    project_id: ProjectId,
    thread_id: boundedText(maxThreadIdLength),
    limit: Count,
    offset: Count,
  }),
  response: Turn,
})
