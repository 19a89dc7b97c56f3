// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fill, render, stubService } from '../../testing/render'
import { NewQueuePage } from './NewQueuePage'

beforeEach(() => {
  localStorage.clear()
  stubService({})
})
afterEach(() => {
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

test('the form says whether the draft is kept: storage may be full', async () => {
  const { host } = await render(<NewQueuePage />)
  const name = host.querySelector<HTMLInputElement>('#queue-name')
  if (!name) throw new Error('There is no field for the name.')
  await fill(name, 'Refunds')
  expect(host.textContent).toContain('The draft is kept on this device.')
  const storage = localStorage
  vi.stubGlobal('localStorage', {
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
    removeItem: (key: string) => storage.removeItem(key),
  })
  await fill(name, 'Refunds of May')
  expect(host.textContent).toContain('The browser does not store the draft: it is lost when you leave this page.')
  expect(host.textContent).not.toContain('is kept')
  vi.stubGlobal('localStorage', storage)
  await fill(name, 'Refunds of June')
  expect(host.textContent).toContain('The draft is kept on this device.')
})
