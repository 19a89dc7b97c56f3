import * as z from 'zod/mini'
import { engineTime, flag, textOrNull } from '../store/row-types'
import { parseUsage } from '../usage/usage'
import { readUsageSender } from '../usage/usage-sender'

/** A row of a call as far as it decides what it and others spent. */
export const StoredCall = z.object({
  trace_id: z.string(),
  id: z.string(),
  parent_id: textOrNull,
  thread_id: textOrNull,
  user_id: textOrNull,
  op_name: z.string(),
  is_span: flag,
  started_at: engineTime,
  usage: z.string(),
  usage_sender: z.array(z.string()),
  provider: textOrNull,
  response_id: textOrNull,
  library: textOrNull,
})

/** Replaces what is stored of a usage by what it means. */
export function withParsedUsage<Call extends Pick<z.infer<typeof StoredCall>, 'usage' | 'usage_sender' | 'is_span'>>({
  usage,
  usage_sender: sender,
  ...call
}: Call) {
  return { ...call, usage: parseUsage(usage ? JSON.parse(usage) : undefined, readUsageSender(call.is_span, sender)) }
}
