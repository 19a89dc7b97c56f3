import * as z from 'zod/mini'
import { CallStatus } from './calls'
import { defineStream } from './endpoint'
import { Instant } from './instant'
import { maxIdLength } from './limits'
import { ProjectId } from './project-id'
import { Count, strictRequest } from './request'
import { boundedText, optional, refineAs } from './schema'

export const callKinds = ['llm', 'tool', 'agent', 'retriever', 'embedding', 'chain'] as const
export type CallKind = (typeof callKinds)[number]

/**
 * A call in its tree, without inputs, output and attributes. Tokens and costs are what the call spent itself, so those of a
 * tree add up to what all of it spent.
 */
export const TreeCall = z.object({
  id: z.string(),
  /** The call above it. Null at the top, and where that call has not arrived, is in another trace or would close a circle. */
  parent_id: z.nullable(z.string()),
  op_name: z.string(),
  /** The display name, else the name of the op without what is around it. */
  name: z.string(),
  /** What the client says that the call is; null where it says nothing that is known here. */
  kind: z.nullable(z.enum(callKinds)),
  started_at: Instant,
  ended_at: z.nullable(Instant),
  /** `descendant_error` where a call below it failed and it did not, for calls and spans alike. */
  status: CallStatus,
  /** Milliseconds of its duration in which no direct child was running; null while it runs. */
  self_ms: z.nullable(z.number()),
  /** The model that it spent most tokens on; null where it spent none. */
  model: z.nullable(z.string()),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  /** By currency, decimal text. Empty where nothing that was spent has a price. */
  costs: z.array(z.object({ currency: z.string(), total: z.string() })),
  /** How many calls are directly below it, whether or not they are in this answer. */
  child_count: z.number(),
  /**
   * Why it is at the top although its client names a parent: that call is not in the trace, or is below this one, so that
   * parents form a circle. Absent where neither is so.
   */
  cut_by: z.optional(z.enum(['missing', 'circle'])),
})
export type TreeCall = z.infer<typeof TreeCall>

/**
 * The calls of a trace as trees, each parent before its children and siblings by their start. With `call_id`, that call and
 * all below it; where it is a turn, then the calls at the top that name it as their turn. `depth` is the number of levels
 * below the top. A Spool extension.
 */
export const queryCallTree = defineStream({
  path: '/calls/tree',
  request: strictRequest({
    project_id: ProjectId,
    trace_id: optional(boundedText(maxIdLength)),
    call_id: optional(boundedText(maxIdLength)),
    depth: Count,
    limit: Count,
  }).check(
    refineAs<{ trace_id?: unknown; call_id?: unknown }>(
      'value_error',
      ({ trace_id: traceId, call_id: callId }) => (traceId === undefined) !== (callId === undefined),
      "Exactly one of 'trace_id' and 'call_id' is required.",
    ),
  ),
  response: TreeCall,
})
