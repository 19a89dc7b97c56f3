// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { jsonLines, render, stubService, waitFor } from '../../../testing/render'
import { EmptySpend } from './EmptySpend'

afterEach(() => {
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

const group = {
  call_count: 1,
  unpriced_call_count: 0,
  prompt_tokens: 1,
  completion_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  costs: [],
}

test.each([
  ['no calls', [], 'No calls with usage yet. Send data'],
  ['calls outside the window', [group], 'No call of this window has usage. Choose a longer window.'],
])('a project with %s says what to do', async (_, groups, text) => {
  const requests = stubService({ '/spend/query': () => jsonLines(groups) })
  const { host } = await render(<EmptySpend />)
  await waitFor(() => expect(host.textContent).toBe(text))
  expect(requests).toHaveLength(1)
})
