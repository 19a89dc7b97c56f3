import * as z from 'zod/mini'
import { ProjectId } from './project-id'
import { strictRequest } from './request'
import { optional } from './schema'
import { spendIntervals, TimeZone } from './spend'
import { ThreadFilter } from './thread-search-requests'

/** `auto`: the shortest of them of which about a hundred cover all turns. */
const Interval = optional(z.enum([...spendIntervals, 'auto']))

export const ReadThreadShape = strictRequest({
  project_id: ProjectId,
  filter: optional(ThreadFilter),
  /** `auto` by default. */
  interval: Interval,
  /** Where days, weeks and months begin. UTC by default. */
  time_zone: optional(TimeZone),
})

export const StreamThreadHistory = strictRequest({
  project_id: ProjectId,
  filter: optional(ThreadFilter),
  /** Without it: one line for all turns. */
  interval: Interval,
  time_zone: optional(TimeZone),
  /** Adds `error_count`, which looks at every call. */
  include_errors: optional(z.boolean()),
})
