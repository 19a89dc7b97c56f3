import * as z from 'zod/mini'
import { callColumns, callFieldType, jsonColumns, parseCallField, supportedCallFields, unstoredColumns } from './call-fields'
import { querySchema } from './query-schema'
import { formatValue } from './json-value'
import {
  maxFilterValues,
  maxIdLength,
  maxOpNameLength,
  maxRangeLength,
  maxRefLength,
  maxThreadIdLength,
  maxUsernameLength,
} from './limits'
import { ProjectId } from './project-id'
import { Count, Direction, maxSortKeys, strictFilter } from './request'
import { boundedList, boundedText, formatLimit, optional, refineAs } from './schema'

// SDKs know more fields than this service, so unknown fields of these requests are ignored. Within `filter` they are
// rejected: a filter that is ignored would return rows that nobody asked for.

const textList = (maxLength: number) => optional(boundedList(boundedText(maxLength), maxFilterValues))
const Ids = textList(maxIdLength)

/**
 * Which calls; the keys combine with AND, an empty list is no filter. An `op_names` entry that ends in `:*` stands for
 * every version of the op. `input_refs` and `output_refs` find `weave:///` references anywhere in the value.
 */
export const CallsFilter = strictFilter({
  op_names: textList(maxOpNameLength),
  parent_ids: Ids,
  trace_ids: Ids,
  call_ids: Ids,
  thread_ids: textList(maxThreadIdLength),
  turn_ids: Ids,
  trace_roots_only: optional(z.boolean()),
  input_refs: textList(maxRefLength),
  output_refs: textList(maxRefLength),
  wb_user_ids: textList(maxUsernameLength),
  wb_run_ids: optional(
    boundedList(z.string()).check(
      refineAs<readonly string[]>(
        'value_error',
        (ids) => ids.length === 0,
        'This service does not store runs, so it cannot find calls by them. Leave this filter out.',
      ),
    ),
  ),
})
export type CallsFilter = z.infer<typeof CallsFilter>

const CallQuery = querySchema(callFieldType, supportedCallFields)

const CallSortKey = z.strictObject({
  field: z.string().check(
    refineAs<string>(
      'value_error',
      (field) => parseCallField(field) !== undefined,
      (field) => `Unsupported sort field ${formatValue(field)}. Supported: ${supportedCallFields}.`,
    ),
  ),
  direction: Direction,
})
export type CallSortKey = z.infer<typeof CallSortKey>

/** A path selects its whole column, so there are few different ones. */
const maxSelectedColumns = 1000

const maxExpandedColumns = 100

const selectableColumns = new Set<string>([...callColumns, ...unstoredColumns])
const jsonColumnNames: readonly string[] = jsonColumns

/** A path to a value that may be a reference. */
const ExpandedColumn = z.string().check(
  refineAs<string>(
    'value_error',
    (name) => toJsonPath(name) !== undefined,
    (name) => `${formatValue(name)} cannot be expanded. Name a path into ${jsonColumns.join(', ')}, such as inputs.model.`,
  ),
)

function toJsonPath(name: string) {
  const field = parseCallField(name)
  return field && 'column' in field ? field : undefined
}

/** A column, or a path into a JSON column, which selects the whole column. */
const SelectedColumn = z.string().check(
  refineAs<string>(
    'value_error',
    (column) => selectableColumns.has(column) || jsonColumnNames.includes(column.split('.', 1)[0] ?? ''),
    (column) => `Unsupported column ${formatValue(column)}. Supported: ${[...selectableColumns].join(', ')}.`,
  ),
)

export const QueryCalls = z.object({
  project_id: ProjectId,
  filter: optional(CallsFilter),
  query: optional(CallQuery),
  /** Without it: by start, oldest first, as in W&B Weave. */
  sort_by: optional(boundedList(CallSortKey, maxSortKeys)),
  limit: Count,
  offset: Count,
  /** Absent or empty: all. `id`, `project_id`, `trace_id`, `op_name` and `started_at` are always returned; `ended_at`, `exception` and `display_name` with `summary`. */
  columns: optional(boundedList(SelectedColumn, maxSelectedColumns)),
  include_costs: optional(z.boolean()),
  /** Adds `summary.weave.feedback`: the feedback for each call, newest first. */
  include_feedback: optional(z.boolean()),
  /**
   * Paths in JSON whose values are replaced by what they refer to, where they are references to objects of the project; the
   * shorter paths first, so that `inputs.model.prompt` may lead through another reference. An object gets its reference as `_ref`.
   * `query` and `sort_by` read through these references too. References in columns of more than 4 MiB stay as they are, and
   * so do references to larger objects.
   */
  expand_columns: optional(boundedList(ExpandedColumn, maxExpandedColumns)),
  /** False: the references stay in the response. */
  return_expanded_column_values: optional(z.boolean()),
})

export const QueryCallStats = z.object({
  project_id: ProjectId,
  filter: optional(CallsFilter),
  query: optional(CallQuery),
  /** References that `query` reads through. */
  expand_columns: optional(boundedList(ExpandedColumn, maxExpandedColumns)),
  /** Counting stops here. */
  limit: Count,
})

/** `[from, to]` in characters, `to` itself left out. What lies beyond the end of the text is left out too. */
const CharacterRange = z.pipe(
  z.array(Count),
  z.transform(([from, to, ...more], context): { from: number; to: number } => {
    if (from !== undefined && to !== undefined && more.length === 0 && from <= to && to - from <= maxRangeLength)
      return { from, to }
    context.issues.push({
      code: 'custom',
      message: `Expected [from, to]: two positions in characters, from not after to, at most ${formatLimit(maxRangeLength)} apart.`,
      params: { type: 'value_error' },
      input: [from, to, ...more],
    })
    return z.NEVER
  }),
)

export const ReadCall = z.object({
  project_id: ProjectId,
  id: boundedText(maxIdLength),
  include_costs: optional(z.boolean()),
  /** Which columns with JSON are read; absent or empty: all. A Spool extension. */
  fields: optional(boundedList(z.enum(jsonColumns), maxSelectedColumns)),
  /** Reads a part of the text of each of these columns, so that a large one comes in pieces. A Spool extension. */
  range: optional(CharacterRange),
})
