// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { jsonLines, render, stubService, waitFor } from '../../testing/render'
import { useDefaultView } from './use-default-view'

afterEach(() => {
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

function View() {
  return useDefaultView(true) ?? 'not known'
}

const group = {
  call_count: 1,
  unpriced_call_count: 0,
  prompt_tokens: 1,
  completion_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
  costs: [],
}

test('costs open with the spend once calls have usage', async () => {
  stubService({ '/spend/query': () => jsonLines([group]) })
  const { host } = await render(<View />)
  await waitFor(() => expect(host.textContent).toBe('spend'))
})

test.each([
  // The request for prices leads to the sign-in.
  [401, 'prices'],
  [403, 'spend'],
  [404, 'prices'],
  [405, 'prices'],
  [422, 'spend'],
  [500, 'spend'],
  [501, 'prices'],
  [503, 'spend'],
])('where the service answers with %i, they open with the %s', async (status, view) => {
  stubService({ '/spend/query': () => Response.json({ detail: 'No.' }, { status }) })
  const { host } = await render(<View />)
  await waitFor(() => expect(host.textContent).toBe(view))
})

test('while no answer comes they show the spend, and then the prices if there is none', async () => {
  const answers: ((response: Response) => void)[] = []
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => answers.push(resolve)))
  const { host } = await render(<View />)
  expect(host.textContent).toBe('not known')
  await waitFor(() => expect(host.textContent).toBe('spend'))
  // Of the window, and of any time.
  for (const count of [1, 2]) {
    await waitFor(() => expect(answers).toHaveLength(count))
    answers.at(-1)?.(jsonLines([]))
  }
  await waitFor(() => expect(host.textContent).toBe('prices'))
})
