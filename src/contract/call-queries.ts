import * as z from 'zod/mini'
import { optional, refineAs } from './schema'
import { readCallStats } from './call-heading'
import { callColumns, parseCallField, callFieldType, jsonColumns, supportedCallFields, unstoredColumns } from './call-fields'
import { querySchema } from './expression'
import { list } from './list'
import { ProjectId } from './project-id'
import { readCalls, readOneCall, readRefusedCalls, readThreadUsage } from './read-calls'
import { Count, Direction, strictRequest } from './request'
import { formatValue } from './format-value'
import { strictFilter } from './strict-filter'

// SDKs run ahead of servers, so what these operations do not know at the top of a request is ignored. Within `filter` it
// is refused: a filter that is passed over answers with rows that were not asked for.

const Ids = optional(list(z.string()))

/**
 * Which calls; the keys combine with AND, an empty list is no filter. An `op_names` entry that ends in `:*` stands for
 * every version of the op. `input_refs` and `output_refs` find `weave:///` references anywhere in the value.
 */
export const CallsFilter = strictFilter({
  op_names: Ids,
  parent_ids: Ids,
  trace_ids: Ids,
  call_ids: Ids,
  thread_ids: Ids,
  turn_ids: Ids,
  trace_roots_only: optional(z.boolean()),
  input_refs: Ids,
  output_refs: Ids,
  wb_user_ids: Ids,
  wb_run_ids: optional(
    list(z.string()).check(
      refineAs<readonly string[]>(
        'value_error',
        (ids) => ids.length === 0,
        'Runs are not kept here, so calls cannot be found by them. Leave this filter out.',
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

// Each key is text of its own in the statement.
const mostSortKeys = 16

const selectable = new Set<string>([...callColumns, ...unstoredColumns])
const jsonColumnNames: readonly string[] = jsonColumns

/** A column, or a path into one of JSON, which selects the whole column. */
const SelectedColumn = z.string().check(
  refineAs<string>(
    'value_error',
    (column) => selectable.has(column) || jsonColumnNames.includes(column.split('.', 1)[0] ?? ''),
    (column) => `Unsupported column ${formatValue(column)}. Supported: ${[...selectable].join(', ')}.`,
  ),
)

export const QueryCalls = z.object({
  project_id: ProjectId,
  filter: optional(CallsFilter),
  query: optional(CallQuery),
  /** Without it: by start, the oldest first, as the original does. */
  sort_by: optional(list(CallSortKey, mostSortKeys)),
  limit: Count,
  offset: Count,
  /** Absent or empty: all. `id`, `project_id`, `trace_id`, `op_name` and `started_at` always come. */
  columns: optional(list(SelectedColumn)),
  include_costs: optional(z.boolean()),
})

/** The calls of a project, as JSON lines. A call whose start has not arrived is not shown. */
export const queryCalls = { ...readCalls, request: QueryCalls }

export const QueryCallStats = z.object({
  project_id: ProjectId,
  filter: optional(CallsFilter),
  query: optional(CallQuery),
  /** Counts no further than this. */
  limit: Count,
})

/** How many calls `queryCalls` would answer with. */
export const queryCallStats = { ...readCallStats, request: QueryCallStats }

export const ReadCall = z.object({ project_id: ProjectId, id: z.string(), include_costs: optional(z.boolean()) })

/** One call by id, null where the project has none. */
export const readCall = { ...readOneCall, request: ReadCall }

const mostThreads = 1000

export const QueryThreadUsage = strictRequest({
  project_id: ProjectId,
  thread_ids: list(z.string(), mostThreads).check(z.minLength(1)),
})

/** What each of these threads used and cost, in the order asked for. Ours: the original has no such operation. */
export const queryThreadUsage = { ...readThreadUsage, request: QueryThreadUsage }

export const ListRefusedCalls = z.strictObject({})

/** Ours. */
export const listRefusedCalls = { ...readRefusedCalls, request: ListRefusedCalls }
