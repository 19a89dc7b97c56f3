import * as z from 'zod/mini'
import type { ClientEndpoint } from './endpoint'
import type { ReadThreadShape, StreamThreadHistory } from './thread-shape-requests'

const Duration = z.nullable(z.number())

/** A step of a logarithmic scale: `from_ms` belongs to it, `to_ms` does not. */
const DurationStep = z.object({ from_ms: z.number(), to_ms: z.number() })

/** The threads with about as many turns and about the same p99. `to_turns` and `to_ms` do not belong to it. */
const ThreadCell = z.extend(DurationStep, {
  from_turns: z.number(),
  to_turns: z.number(),
  thread_count: z.number(),
  /** The threads themselves, slowest first, where they are few. */
  threads: z.array(z.object({ thread_id: z.string(), turn_count: z.number(), p99_turn_duration_ms: z.number() })),
})
export type ThreadCell = z.infer<typeof ThreadCell>

/** The threads that a filter finds, and their turns in its window, as distributions. */
export const ThreadShape = z.object({
  thread_count: z.number(),
  turn_count: z.number(),
  finished_turn_count: z.number(),
  /** Of all finished turns together. */
  p50_turn_duration_ms: Duration,
  p99_turn_duration_ms: Duration,
  /**
   * From the first turn to the last one, also where nothing started. Times have the offset of the time zone, or Z where that is
   * zero. A thread counts in each interval in which a turn of it started.
   */
  starts: z.array(z.object({ interval: z.string(), interval_end: z.string(), turn_count: z.number(), thread_count: z.number() })),
  /** Finished turns by duration, from the shortest to the longest. */
  durations: z.array(z.extend(DurationStep, { turn_count: z.number() })),
  /** Threads with a finished turn, by turns and p99. Empty cells are left out. */
  threads: z.array(ThreadCell),
})
export type ThreadShape = z.infer<typeof ThreadShape>

/** A Spool extension. Its reply is small, however many threads there are. */
export const readThreadShape: ClientEndpoint<typeof ReadThreadShape, typeof ThreadShape, false> = {
  method: 'POST',
  path: '/threads/shape',
  response: ThreadShape,
  streams: false,
  places: {},
}

/**
 * The turns that started within an interval. Percentiles are exact, of finished turns, interpolated linearly at rank (n-1)q, and
 * null without a finished one.
 */
export const TurnsOfInterval = z.object({
  /** When it begins and ends: with the offset of the time zone, or Z where that is zero. Absent in a line for all turns. */
  interval: z.optional(z.string()),
  interval_end: z.optional(z.string()),
  turn_count: z.number(),
  finished_turn_count: z.number(),
  /** Threads of which a turn started within the interval. */
  thread_count: z.number(),
  p50_turn_duration_ms: Duration,
  p99_turn_duration_ms: Duration,
  /** Calls of these turns that failed themselves, turns included. Only where it is asked for. */
  error_count: z.optional(z.number()),
})
export type TurnsOfInterval = z.infer<typeof TurnsOfInterval>

/** How the turns of the threads that a filter finds went over time: one line for each interval, oldest first. A Spool extension. */
export const streamThreadHistory: ClientEndpoint<typeof StreamThreadHistory, typeof TurnsOfInterval, true> = {
  method: 'POST',
  path: '/threads/history',
  response: TurnsOfInterval,
  streams: true,
  places: {},
}
