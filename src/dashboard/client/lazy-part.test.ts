// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { loadPart } from './lazy-part'
import { retryNow } from './retry-schedule'

afterEach(() => vi.unstubAllGlobals())

const failOnce = () =>
  vi.fn<() => Promise<string>>().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue('the part')

test('a file that could not be loaded is requested again', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const load = failOnce()
  const part = loadPart(load)
  await vi.waitFor(() => {
    retryNow()
    expect(load).toHaveBeenCalledTimes(2)
  })
  expect(await part).toBe('the part')
})

test('a file of a version that the server no longer has is not waited for', async () => {
  document.head.innerHTML = '<script type="text/plain" src="http://localhost/assets/index-old.js"></script>'
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('<script src="/assets/index-new.js"></script>')))
  await expect(loadPart(failOnce())).rejects.toThrow('Failed to fetch')
})
