import type { QueryClient } from '@tanstack/react-query'
import type { RowQuery } from './row-source'

/** Rows that nobody has asked for after this time are forgotten: the next click reads them anew. */
const keepMs = 3000
/** A service that took longer for its rows is asked only for what somebody wants to see. */
const slowMs = 300

// Module state, with the lifetime of a cache: how long the rows of an operation took, milliseconds; Infinity if they failed.
const readTimes = new WeakMap<QueryClient, Map<string, number>>()

/** The same query. It also remembers how long its rows took. */
export function timedQuery<Row>(query: RowQuery<Row>, path: string): RowQuery<Row> {
  const { queryFn } = query
  if (typeof queryFn !== 'function') return query
  return {
    ...query,
    queryFn: async (context) => {
      const startedAt = performance.now()
      let durationMs = Infinity
      try {
        const rows = await queryFn(context)
        durationMs = performance.now() - startedAt
        return rows
      } finally {
        const times = readTimes.get(context.client) ?? new Map<string, number>()
        if (!context.signal.aborted) readTimes.set(context.client, times.set(path, durationMs))
      }
    },
  }
}

/** Sends a query that its page will ask for in a moment. */
export function beginQuery<Row>(queryClient: QueryClient, query: RowQuery<Row>): void {
  void queryClient.prefetchQuery(query)
}

/**
 * Sends a query that somebody is about to ask for, unless the service was slow. Returns what ends it: nothing is stopped that a
 * page shows by then.
 */
export function readAhead<Row>(queryClient: QueryClient, query: RowQuery<Row>, path: string): () => void {
  if ((readTimes.get(queryClient)?.get(path) ?? Infinity) > slowMs) return () => undefined
  beginQuery(queryClient, { ...query, gcTime: keepMs })
  const { queryKey } = query
  return () => {
    const begun = queryClient.getQueryCache().find({ queryKey, exact: true })
    if (begun?.getObserversCount() === 0) void queryClient.cancelQueries({ queryKey, exact: true })
  }
}
