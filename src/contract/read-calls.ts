import * as z from 'zod/mini'
import type { ListRefusedCalls, QueryCalls, QueryThreadUsage, ReadCall } from './call-queries'
import type { ClientEndpoint } from './endpoint'
import { Instant } from './instant'
import { Problem } from './problem'

// What is read of calls, apart from what judges requests: a page that only asks need not carry the query language.

const callStatuses = ['success', 'error', 'running', 'descendant_error'] as const
export const CallStatus = z.enum(callStatuses)
export type CallStatus = z.infer<typeof CallStatus>

/**
 * What a call's use of one model cost. Token counts are those of the call; costs are in the unit beside them and null
 * where no price is known. Tokens read from or written to a cache are in `prompt_tokens`, and are billed at the cache's
 * price instead of the prompt's where the price record has one.
 */
export const CallCost = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  requests: z.number(),
  total_tokens: z.number(),
  cache_read_input_tokens: z.number(),
  cache_creation_input_tokens: z.number(),
  prompt_token_cost: z.nullable(z.number()),
  completion_token_cost: z.nullable(z.number()),
  cache_read_input_token_cost: z.nullable(z.number()),
  cache_creation_input_token_cost: z.nullable(z.number()),
  prompt_tokens_total_cost: z.nullable(z.number()),
  completion_tokens_total_cost: z.nullable(z.number()),
  cache_read_input_tokens_total_cost: z.nullable(z.number()),
  cache_creation_input_tokens_total_cost: z.nullable(z.number()),
  prompt_token_cost_unit: z.string(),
  completion_token_cost_unit: z.string(),
  effective_date: Instant,
  provider_id: z.string(),
  /** 'project' for a record of the project's own, 'default' for one of the built-in catalog. */
  pricing_level: z.enum(['project', 'default']),
  pricing_level_id: z.string(),
  created_at: Instant,
  created_by: z.nullable(z.string()),
})
export type CallCost = z.infer<typeof CallCost>

/** What the client summed up, and under `weave` what the service adds when the call is read. */
export const CallSummary = z.looseObject({
  weave: z.looseObject({
    status: CallStatus,
    /** Milliseconds with the fraction that microseconds give; null while the call runs. */
    latency_ms: z.nullable(z.number()),
    trace_name: z.string(),
    /** By model; only where costs were asked for, and only models that have a price. */
    costs: z.optional(z.record(z.string(), CallCost)),
  }),
})

/**
 * A call as read. Columns that were not asked for are left out, but for `attributes` and `inputs`: clients rely on
 * these being objects, so they are `{}` then.
 */
export const Call = z.object({
  id: z.string(),
  project_id: z.string(),
  op_name: z.string(),
  display_name: z.optional(z.nullable(z.string())),
  trace_id: z.string(),
  parent_id: z.optional(z.nullable(z.string())),
  thread_id: z.optional(z.nullable(z.string())),
  turn_id: z.optional(z.nullable(z.string())),
  started_at: Instant,
  ended_at: z.optional(z.nullable(Instant)),
  exception: z.optional(z.nullable(z.string())),
  attributes: z.unknown(),
  inputs: z.unknown(),
  output: z.optional(z.unknown()),
  summary: z.optional(CallSummary),
  wb_user_id: z.optional(z.nullable(z.string())),
  deleted_at: z.optional(z.null()),
  wb_run_id: z.optional(z.null()),
  wb_run_step: z.optional(z.null()),
  wb_run_step_end: z.optional(z.null()),
  storage_size_bytes: z.optional(z.null()),
  total_storage_size_bytes: z.optional(z.null()),
})
export type Call = z.infer<typeof Call>

export const readCalls: ClientEndpoint<typeof QueryCalls, typeof Call, true> = {
  method: 'POST',
  path: '/calls/stream_query',
  response: Call,
  streams: true,
  places: {},
}

const OneCall = z.object({ call: z.nullable(Call) })

export const readOneCall: ClientEndpoint<typeof ReadCall, typeof OneCall, false> = {
  method: 'POST',
  path: '/call/read',
  response: OneCall,
  streams: false,
  places: {},
}

/** A sum of money by unit (currency code). */
const Costs = z.record(z.string(), z.number())

/** What a thread used of one model. `total_cost` has a unit only where something of it was priced. */
const ModelUsage = z.object({
  requests: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
  cache_read_input_tokens: z.number(),
  cache_creation_input_tokens: z.number(),
  total_cost: Costs,
  /** Calls that used tokens for which no price is known: `total_cost` is without these. */
  unpriced_call_count: z.number(),
})

/** What a thread used, by model, each token counted once whichever client sent it. */
export const ThreadUsage = z.object({
  thread_id: z.string(),
  models: z.record(z.string(), ModelUsage),
  total_cost: Costs,
})
export type ThreadUsage = z.infer<typeof ThreadUsage>

const ThreadUsageList = z.object({ usage: z.array(ThreadUsage) })

export const readThreadUsage: ClientEndpoint<typeof QueryThreadUsage, typeof ThreadUsageList, false> = {
  method: 'POST',
  path: '/threads/usage',
  response: ThreadUsageList,
  streams: false,
  places: {},
}

const RefusedCallList = z.object({
  count: z.number(),
  latest: z.array(z.object({ at: Instant, username: z.string(), problem: Problem })),
})

/** Parts of calls that were not stored, counted since the service started; the latest hundred first. For administrators. */
export const readRefusedCalls: ClientEndpoint<typeof ListRefusedCalls, typeof RefusedCallList, false> = {
  method: 'GET',
  path: '/calls/refused',
  response: RefusedCallList,
  streams: false,
  places: {},
}
