// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { click, findButton, render, stubService, waitFor } from '../../../testing/render'
import { BudgetFigure } from './BudgetFigure'

afterEach(() => {
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

test('a budget that could not be read does not look like none, and can be read again', async () => {
  let isBroken = true
  stubService({
    '/budget/read': () => (isBroken ? new Response('', { status: 500 }) : Response.json({ budget: null, month: null })),
  })
  const { host } = await render(<BudgetFigure />)
  await waitFor(() => expect(host.textContent).toContain('Budgetcould not be read'))
  expect(host.textContent).toContain('The server responded with status 500.')
  isBroken = false
  await click(findButton(host, 'Retry now'))
  await waitFor(() => expect(host.textContent).toContain('Budgetnone'))
})

test('a service without budgets has no figure', async () => {
  stubService({})
  const { host } = await render(<BudgetFigure />)
  await waitFor(() => expect(host.textContent).toBe(''))
})
