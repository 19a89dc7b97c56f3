import * as z from 'zod/mini'
import { Instant } from './instant'
import {
  maxEndUserLength,
  maxFilterValues,
  maxModelNameLength,
  maxObjectIdLength,
  maxOpNameLength,
  maxThreadIdLength,
} from './limits'
import { ProjectId } from './project-id'
import { Count, sortBy, strictRequest } from './request'
import { boundedList, boundedText, optional, refineAs } from './schema'
import { callSortFields, threadSortFields } from './threads'

const maxTextLength = 1000
/** Each reads the annotations of the project. */
const maxAnswers = 10

const filterValues = (maxLength: number) => optional(boundedList(boundedText(maxLength), maxFilterValues))

const Milliseconds = optional(
  z
    .number()
    .check(refineAs<number>('greater_than_equal', (value) => value >= 0, 'Must be a number of milliseconds, 0 or greater.')),
)

/** More digits than any cost has. */
const maxDigits = 15

const Amount = z
  .string()
  .check(
    refineAs<string>(
      'value_error',
      (text) => new RegExp(`^\\d{1,${maxDigits}}(?:\\.\\d{1,${maxDigits}})?$`).test(text),
      'Must be an amount in USD as text, such as "0.25".',
    ),
  )

/**
 * An answer that a person gave: the name of the annotation spec, and the value where only that one is meant. Of several choices
 * one is enough, and `yes` and `no` mean true and false too.
 */
const AnswerFilter = z.strictObject({
  scorer: boundedText(maxObjectIdLength),
  value: optional(z.union([z.boolean(), z.number(), boundedText(maxTextLength)])),
})

/** Which threads are meant. All that is set must hold. */
export const ThreadFilter = z.strictObject({
  after_datetime: optional(Instant),
  before_datetime: optional(Instant),
  thread_ids: filterValues(maxThreadIdLength),
  thread_id_prefix: optional(boundedText(maxThreadIdLength)),
  /** Words that all occur in the inputs, output or error of one call, in any order and case. `*` at the end: words that begin so. */
  text: optional(boundedText(maxTextLength)),
  /** Whether any call failed itself. */
  has_errors: optional(z.boolean()),
  models: filterValues(maxModelNameLength),
  op_names: filterValues(maxOpNameLength),
  users: filterValues(maxEndUserLength),
  /** Whether people have judged any call: it has an annotation, given in a queue or elsewhere. */
  is_judged: optional(z.boolean()),
  /** For each of these a call has that answer. Of several answers of a person to a call the last one counts. */
  answers: optional(boundedList(AnswerFilter, maxAnswers)),
  min_turns: Count,
  min_p50_ms: Milliseconds,
  min_p99_ms: Milliseconds,
  /** In USD. What has no price, or one in another currency, does not count. */
  min_cost: optional(Amount),
})

export const SearchThreads = strictRequest({
  project_id: ProjectId,
  filter: optional(ThreadFilter),
  /** Without it: the one that was updated last first. `total_cost` compares amounts in USD; threads without money are last. */
  sort_by: optional(sortBy([...threadSortFields, ...callSortFields])),
  limit: Count,
  offset: Count,
})
