// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { UnreachableError } from './api-error'
import { retryNow } from './retry-schedule'
import { readOnce } from './whole-list-query'

const page = { rows: ['a', 'b'], brokenLines: [], isComplete: true }
const gone = () => Promise.reject(new UnreachableError({ method: 'POST', path: '/threads/stream_query' }))

function setUp(queryFn: () => Promise<typeof page>) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const controller = new AbortController()
  const onFailure = vi.fn(() => true)
  const read = readOnce({ queryKey: ['page'], queryFn }, { queryClient, signal: controller.signal, onFailure })
  return { read, controller, onFailure }
}

test('a page that failed is read again after the pause of everything that failed', async () => {
  const queryFn = vi.fn<() => Promise<typeof page>>().mockImplementationOnce(gone).mockResolvedValue(page)
  const { read, onFailure } = setUp(queryFn)
  await vi.waitFor(() => expect(onFailure).toHaveBeenCalledOnce())
  expect(queryFn).toHaveBeenCalledTimes(1)
  await Promise.resolve()
  retryNow()
  expect(await read).toEqual(page)
})

test('a stopped read is not sent again', async () => {
  const queryFn = vi.fn(gone)
  const { read, controller, onFailure } = setUp(queryFn)
  await vi.waitFor(() => expect(onFailure).toHaveBeenCalledOnce())
  controller.abort()
  await Promise.resolve()
  retryNow()
  await expect(read).rejects.toThrow(/abort/i)
  expect(queryFn).toHaveBeenCalledTimes(1)
})
