import * as z from 'zod/mini'
import { defineStream } from './endpoint'
import { Instant } from './instant'
import {
  maxEndUserLength,
  maxFilterValues,
  maxModelNameLength,
  maxOpNameLength,
  maxProviderLength,
  maxThreadIdLength,
} from './limits'
import { ProjectId } from './project-id'
import { Count, sortBy, strictRequest } from './request'
import { boundedList, boundedText, optional, refineAs } from './schema'

export const spendKeys = ['model', 'provider', 'op_name', 'user', 'thread_id', 'interval'] as const
export type SpendKey = (typeof spendKeys)[number]

export const spendIntervals = ['hour', 'day', 'week', 'month'] as const
export type SpendInterval = (typeof spendIntervals)[number]

/** Decimal text without an exponent. */
const Amount = z.string()

/**
 * What a group cost in one currency. Tokens that have no price are in no part. `total` is the sum of the parts, and of
 * what requests cost by themselves at the few models that have such a price.
 */
const SpendCost = z.object({
  currency: z.string(),
  prompt: Amount,
  completion: Amount,
  cache_read: Amount,
  cache_creation: Amount,
  total: Amount,
})
export type SpendCost = z.infer<typeof SpendCost>

/** What the same calls cost on another model, in one currency. `call_count` is the calls that it has prices for. */
const RepricedSpend = z.object({
  llm_id: z.string(),
  provider_id: z.nullable(z.string()),
  call_count: z.number(),
  total: Amount,
  currency: z.string(),
})
export type RepricedSpend = z.infer<typeof RepricedSpend>

/**
 * One group. Only the keys of `group_by` are there. `provider`, `user` and `thread_id` are null where nothing names one. A
 * call that used several models is in the groups of all of them, and counts once in a group.
 */
export const SpendGroup = z.object({
  model: z.optional(z.string()),
  provider: z.optional(z.nullable(z.string())),
  op_name: z.optional(z.string()),
  user: z.optional(z.nullable(z.string())),
  thread_id: z.optional(z.nullable(z.string())),
  /** When it begins: with the offset of the time zone, or Z where that is zero. */
  interval: z.optional(z.string()),
  call_count: z.number(),
  /** Calls with tokens that have no known price. `costs` does not include these tokens. */
  unpriced_call_count: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  cache_read_input_tokens: z.number(),
  cache_creation_input_tokens: z.number(),
  /** Those of the tokens that have a price: what `costs` is for. Absent from services before it was added. */
  priced_prompt_tokens: z.optional(z.number()),
  priced_completion_tokens: z.optional(z.number()),
  /** By currency code. */
  costs: z.array(SpendCost),
  /** In the order of `reprice_as`, then by currency code. */
  repriced: z.optional(z.array(RepricedSpend)),
})
export type SpendGroup = z.infer<typeof SpendGroup>

/** Figures of a group that it can be sorted by, beside its keys and `total`. */
const spendFigures = [
  'call_count',
  'unpriced_call_count',
  'prompt_tokens',
  'completion_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const

const maxKeys = 3
const maxReferenceModels = 4

export const TimeZone = z
  .string()
  .check(refineAs<string>('value_error', isTimeZone, 'Unknown time zone. Expected an IANA name, such as Europe/Berlin or UTC.'))

function isTimeZone(name: string): boolean {
  // Node also takes offsets, such as +05:30.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const filterValues = (maxLength: number) => optional(boundedList(boundedText(maxLength), maxFilterValues))

/**
 * What calls spent, in groups. Counted is what each call spent itself, so every token counts once. The bounds of `filter` are
 * exclusive and hold for the start of a call. A Spool extension.
 */
export const streamSpend = defineStream({
  path: '/spend/query',
  request: strictRequest({
    project_id: ProjectId,
    filter: optional(
      z.strictObject({
        after_datetime: optional(Instant),
        before_datetime: optional(Instant),
        models: filterValues(maxModelNameLength),
        providers: filterValues(maxProviderLength),
        op_names: filterValues(maxOpNameLength),
        users: filterValues(maxEndUserLength),
        thread_ids: filterValues(maxThreadIdLength),
      }),
    ),
    group_by: optional(
      boundedList(z.enum(spendKeys), maxKeys).check(
        refineAs<SpendKey[]>('value_error', (keys) => new Set(keys).size === keys.length, 'Name each key once.'),
      ),
    ),
    interval: optional(z.enum(spendIntervals)),
    /** Where days, weeks and months begin. UTC by default. */
    time_zone: optional(TimeZone),
    /** What the same calls cost on these models. Without a provider: at the maker's price. */
    reprice_as: optional(
      boundedList(
        z.strictObject({
          llm_id: boundedText(maxModelNameLength),
          provider_id: optional(boundedText(maxProviderLength)),
        }),
        maxReferenceModels,
      ),
    ),
    /** Without it: the largest total first. */
    sort_by: optional(sortBy([...spendKeys, ...spendFigures, 'total'])),
    limit: Count,
    offset: Count,
  }).check((context) => {
    const { group_by: keys = [], interval, sort_by: sort = [] } = context.value
    const report = (path: (string | number)[], message: string) =>
      context.issues.push({ code: 'custom', path, message, params: { type: 'value_error' }, input: context.value })
    if (interval !== undefined && !keys.includes('interval')) {
      report(['interval'], "'interval' needs 'interval' in 'group_by'. Add it there, or leave it out here.")
    }
    if (interval === undefined && keys.includes('interval')) {
      report(['interval'], `Groups by interval need its length. Supported: ${spendIntervals.join(', ')}.`)
    }
    for (const [index, { field }] of sort.entries()) {
      const key = spendKeys.find((each) => each === field)
      if (key === undefined || keys.includes(key)) continue
      report(['sort_by', index, 'field'], `Groups can be sorted by '${key}' only where it is in 'group_by'.`)
    }
  }),
  response: SpendGroup,
})
