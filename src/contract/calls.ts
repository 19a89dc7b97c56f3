import * as z from 'zod/mini'
import type { QueryCalls, ReadCall } from './call-requests'
import { type ClientEndpoint, defineEndpoint } from './endpoint'
import { Instant } from './instant'
import { Problem } from './problem'

const callStatuses = ['success', 'error', 'running', 'descendant_error'] as const
export const CallStatus = z.enum(callStatuses)
export type CallStatus = z.infer<typeof CallStatus>

/**
 * The cost of one model in a call. Token counts are those of the call, `prompt_tokens` with the tokens read from or written to
 * a cache, whatever the client's way of counting. Costs are in the unit beside them, null where no price is known.
 *
 * The four totals and that of requests add up to what the call cost. Cached tokens are in their own total, unless their
 * price is null: then they are billed as the rest of the prompt, in its total. By a project's record without a cache price
 * they are billed at its prompt price, which is then shown as their price.
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
  /** What the requests cost beside their tokens, where the model has such a price. A Spool extension. */
  requests_total_cost: z.optional(z.number()),
  prompt_token_cost_unit: z.string(),
  completion_token_cost_unit: z.string(),
  effective_date: Instant,
  provider_id: z.string(),
  /** 'project' for a record of the project, 'default' for one of the built-in catalog. */
  pricing_level: z.enum(['project', 'default']),
  pricing_level_id: z.string(),
  created_at: Instant,
  created_by: z.nullable(z.string()),
})
export type CallCost = z.infer<typeof CallCost>

/** The client's own summary, and under `weave` what the service adds when the call is read. */
export const CallSummary = z.looseObject({
  weave: z.looseObject({
    status: CallStatus,
    /** Milliseconds with the fraction that microseconds give; null while the call runs. */
    latency_ms: z.nullable(z.number()),
    trace_name: z.string(),
    /** By model. Only where the request asks for costs, and only models that have a price. */
    costs: z.optional(z.record(z.string(), CallCost)),
    /** What `/feedback/query` returns for the call. Only where the request asks for feedback. */
    feedback: z.optional(z.array(z.record(z.string(), z.unknown()))),
  }),
})

/**
 * A call as read. Columns that were not requested are left out, except `attributes` and `inputs`: clients rely on these
 * being objects, so they are `{}` then.
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

/** The calls of a project. A call whose start has not arrived is not shown. */
export const queryCalls: ClientEndpoint<typeof QueryCalls, typeof Call, true> = {
  method: 'POST',
  path: '/calls/stream_query',
  response: Call,
  streams: true,
  places: {},
}

/** A part of the JSON text of a column. Offsets and lengths count characters (Unicode code points), as everywhere on the wire. */
const PayloadPart = z.object({
  text: z.string(),
  from: z.number(),
  to: z.number(),
  /** Of the whole text: where `to` is as much, nothing follows. */
  length: z.number(),
})

/** By column; null where the call has no value there. */
export const PayloadParts = z.record(z.string(), z.nullable(PayloadPart))
export type PayloadParts = z.infer<typeof PayloadParts>

const OneCall = z.object({
  call: z.nullable(Call),
  /** Only where the request has a range. A Spool extension. */
  parts: z.optional(PayloadParts),
})

/**
 * One call by id, null where the project has no such call. With a range, `parts` has the columns that hold JSON, and the call
 * has of them only what the service adds to its summary.
 */
export const readCall: ClientEndpoint<typeof ReadCall, typeof OneCall, false> = {
  method: 'POST',
  path: '/call/read',
  response: OneCall,
  streams: false,
  places: {},
}

/** Parts of calls that the service rejected, counted since it started, and the latest hundred. For administrators. A Spool extension. */
export const listRefusedCalls = defineEndpoint({
  method: 'GET',
  path: '/calls/refused',
  request: z.strictObject({}),
  response: z.object({
    count: z.number(),
    /** Newest first. */
    latest: z.array(z.object({ at: Instant, username: z.string(), problem: Problem })),
    /** OTLP log records that were accepted and not stored, because they are no messages of spans, since the start. */
    dropped_log_record_count: z.optional(z.number()),
    /**
     * Calls that are stored and readable, but missing in turns and threads, because computing these fails for them alone;
     * where `thread_id` is set, the figures of a whole thread. Kept over restarts. Services before it existed leave it out.
     */
    quarantined: z.optional(
      z.object({
        count: z.number(),
        /** Newest first, a hundred at most. Long ids are cut off. */
        latest: z.array(
          z.object({
            project_id: z.string(),
            call_id: z.nullable(z.string()),
            thread_id: z.nullable(z.string()),
            at: Instant,
            reason: z.string(),
          }),
        ),
      }),
    ),
  }),
})
