import * as z from 'zod/mini'
import { engineTime, textOrNull } from '../store/row-types'
import type { DetailedUsage } from '../usage/usage'
import type { SpentCalls, SpentShare } from './spent-calls'

/** The columns of `spent_calls` that hold the usage of one model. */
export const usageColumns = [
  'requests',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'input_audio_tokens',
  'cache_read_audio_tokens',
  'cache_write_1h_tokens',
  'output_audio_tokens',
  'reasoning_tokens',
] as const
export type UsageColumns = Record<(typeof usageColumns)[number], number>

const noUsage = Object.fromEntries(usageColumns.map((column) => [column, 0])) as UsageColumns // one entry for each column

/** A row of `spent_calls` as it is inserted. */
export type SpentRow = UsageColumns & {
  project_id: string
  started_at: string
  id: string
  is_spent: 0 | 1
  op_name: string
  user_id: string
  thread_id: string
  /** When the turn started that the call belongs to (place-calls.ts). */
  turn_started_at: string
  provider: string
  model: string
  shares: string
  version: string
}

/** The columns of a call's usage; of a call that used several models in `shares`. */
export function toUsageFields(usage: ReadonlyMap<string, DetailedUsage>): UsageColumns & Pick<SpentRow, 'model' | 'shares'> {
  const [first] = usage
  if (usage.size !== 1 || !first) {
    const shares = [...usage].map(([model, each]) => Object.assign(toUsageColumns(each), { model }))
    return { ...noUsage, model: '', shares: usage.size === 0 ? '' : JSON.stringify(shares) }
  }
  const [model, only] = first
  // A model may have the name ''. Rows without `shares` have one model.
  return { ...toUsageColumns(only), model, shares: '' }
}

function toUsageColumns({ details, ...usage }: DetailedUsage): UsageColumns {
  return {
    ...usage,
    input_audio_tokens: details.inputAudioTokens,
    cache_read_audio_tokens: details.cacheReadAudioTokens,
    cache_write_1h_tokens: details.cacheWrite1hTokens,
    output_audio_tokens: details.outputAudioTokens,
    reasoning_tokens: details.reasoningTokens,
  }
}

export function fromUsageColumns(columns: UsageColumns): DetailedUsage {
  return {
    requests: columns.requests,
    prompt_tokens: columns.prompt_tokens,
    completion_tokens: columns.completion_tokens,
    total_tokens: columns.total_tokens,
    cache_read_input_tokens: columns.cache_read_input_tokens,
    cache_creation_input_tokens: columns.cache_creation_input_tokens,
    details: {
      inputAudioTokens: columns.input_audio_tokens,
      cacheReadAudioTokens: columns.cache_read_audio_tokens,
      cacheWrite1hTokens: columns.cache_write_1h_tokens,
      outputAudioTokens: columns.output_audio_tokens,
      reasoningTokens: columns.reasoning_tokens,
    },
  }
}

/** The columns of a usage in a row that is read. */
export const UsageCounts = Object.fromEntries(usageColumns.map((column) => [column, z.number()])) as Record<
  (typeof usageColumns)[number],
  z.ZodMiniNumber
> // one entry for each column
const Shares = z.array(z.object({ model: z.string(), ...UsageCounts }))

/** A row of calls that are alike (see spend-cells.ts), or of one call with several models. */
export const SpentCallsRow = z.pipe(
  z.object({
    call_count: z.number(),
    started_at: engineTime,
    op_name: z.string(),
    user_id: textOrNull,
    thread_id: textOrNull,
    provider: textOrNull,
    model: z.string(),
    input_tokens: z.number(),
    ...UsageCounts,
    shares: z.string(),
  }),
  z.transform(
    ({ call_count, started_at, op_name, user_id, thread_id, provider, model, input_tokens, shares, ...columns }): SpentCalls => ({
      callCount: call_count,
      startedAt: started_at,
      opName: op_name,
      provider,
      userId: user_id,
      threadId: thread_id,
      shares: shares === '' ? [{ model, usage: fromUsageColumns(columns), inputTokens: input_tokens }] : parseShares(shares),
    }),
  ),
)

export function parseShares(json: string): SpentShare[] {
  return z.parse(Shares, JSON.parse(json)).map(({ model, ...columns }) => {
    return { model, usage: fromUsageColumns(columns), inputTokens: columns.prompt_tokens }
  })
}
