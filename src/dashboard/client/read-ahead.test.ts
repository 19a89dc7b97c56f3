import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readAhead, timedQuery } from './read-ahead'
import type { RowQuery } from './row-source'

const path = '/rows'
let sentCount = 0
let abortedCount = 0
let queryClient: QueryClient

beforeEach(() => {
  vi.useFakeTimers()
  sentCount = 0
  abortedCount = 0
  queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: false } } })
})
afterEach(() => {
  queryClient.clear()
  vi.useRealTimers()
})

/** A list whose service takes `durationMs` for its rows. */
function rowsOf(sort: string, durationMs = 20): RowQuery<string> {
  return timedQuery(
    {
      queryKey: [path, sort],
      queryFn: ({ signal }) => {
        sentCount += 1
        signal.addEventListener('abort', () => (abortedCount += 1))
        return new Promise((resolve) => {
          setTimeout(() => resolve({ rows: [sort], brokenLines: [], isComplete: true }), durationMs)
        })
      },
    },
    path,
  )
}

/** Shows rows, as a page does. */
async function show(query: RowQuery<string>) {
  const observer = new QueryObserver(queryClient, query as never)
  const stop = observer.subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(2000)
  return { observer, stop }
}

test('rows that were read ahead are shown without another request', async () => {
  await show(rowsOf('by name'))
  readAhead(queryClient, rowsOf('by age'), path)
  await vi.advanceTimersByTimeAsync(100)
  const { observer } = await show(rowsOf('by age'))
  expect(observer.getCurrentResult().data).toMatchObject({ rows: ['by age'] })
  expect(sentCount).toBe(2)
})

test('a request under way is joined, and goes on when the pointer leaves', async () => {
  await show(rowsOf('by name'))
  const end = readAhead(queryClient, rowsOf('by age'), path)
  const shown = show(rowsOf('by age'))
  end()
  await shown
  expect([sentCount, abortedCount]).toEqual([2, 0])
})

test('a request that nobody waits for is stopped', async () => {
  await show(rowsOf('by name'))
  readAhead(queryClient, rowsOf('by age'), path)()
  await vi.advanceTimersByTimeAsync(100)
  expect([sentCount, abortedCount]).toEqual([2, 1])
  expect(queryClient.getQueryData([path, 'by age'])).toBeUndefined()
})

test('rows that were read ahead are forgotten after a few seconds: then they are read anew', async () => {
  await show(rowsOf('by name'))
  readAhead(queryClient, rowsOf('by age'), path)
  await vi.advanceTimersByTimeAsync(3500)
  await show(rowsOf('by age'))
  expect(sentCount).toBe(3)
})

test('a service that was slow, or failed, or has not been asked yet is not asked ahead', async () => {
  readAhead(queryClient, rowsOf('by age'), path)
  expect(sentCount).toBe(0)
  await show(rowsOf('by name', 500))
  readAhead(queryClient, rowsOf('by age'), path)
  expect(sentCount).toBe(1)
  const failing: RowQuery<string> = timedQuery(
    { queryKey: [path, 'failing'], queryFn: () => Promise.reject(new Error('away')) },
    path,
  )
  await show(failing)
  readAhead(queryClient, rowsOf('by age'), path)
  expect(sentCount).toBe(1)
  await show(rowsOf('by name again'))
  readAhead(queryClient, rowsOf('by age'), path)
  expect(sentCount).toBe(3)
})
