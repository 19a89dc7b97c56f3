import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint'
import { ProjectId } from './project-id'
import { strictRequest } from './request'
import { maxThreadIdLength } from './limits'
import { boundedList, boundedText } from './schema'

/** A sum of money by unit (currency code). */
const CostByUnit = z.record(z.string(), z.number())

/** The usage of one model in a thread. `total_cost` has a unit only where a part of the usage has a price. */
const ModelUsage = z.object({
  requests: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
  cache_read_input_tokens: z.number(),
  cache_creation_input_tokens: z.number(),
  total_cost: CostByUnit,
  /** Calls that spent tokens themselves without a known price. `total_cost` does not include these tokens. */
  unpriced_call_count: z.number(),
})

/**
 * The usage of a thread by model: what all its calls spent themselves, those of turns that still run too. Each token counts
 * once, whether or not the client adds children's usage to parents. A call without a thread belongs to the nearest call
 * above it that has one. `prompt_tokens` includes cached tokens, whatever the client's way of counting.
 */
export const ThreadUsage = z.object({
  thread_id: z.string(),
  models: z.record(z.string(), ModelUsage),
  total_cost: CostByUnit,
})
export type ThreadUsage = z.infer<typeof ThreadUsage>

const maxThreads = 1000

/** The usage and cost of each of these threads, in the order of the request. A Spool extension. */
export const queryThreadUsage = defineEndpoint({
  path: '/threads/usage',
  request: strictRequest({
    project_id: ProjectId,
    thread_ids: boundedList(boundedText(maxThreadIdLength), maxThreads).check(z.minLength(1)),
  }),
  response: z.object({ usage: z.array(ThreadUsage) }),
})
