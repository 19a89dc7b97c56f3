import { QueryClientProvider } from '@tanstack/react-query'
import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { vi } from 'vitest'
import type { Connection } from '../dashboard/client/connection'
import { ConnectionProvider } from '../dashboard/client/connection-context'
import { createQueryClient } from '../dashboard/client/create-query-client'

export const connection: Connection = {
  id: 'a',
  name: 'a',
  baseUrl: '',
  username: 'ann',
  password: '',
  projectId: 'acme/support',
}

/** Renders into the document of happy-dom. `rerender` renders something else in its place. */
export async function render(element: ReactNode) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const host = document.createElement('div')
  document.body.append(host)
  const root = createRoot(host)
  const client = createQueryClient({ onUnauthorized: () => undefined })
  const rerender = (next: ReactNode) =>
    act(async () =>
      root.render(
        <QueryClientProvider client={client}>
          <ConnectionProvider connection={connection}>{next}</ConnectionProvider>
        </QueryClientProvider>,
      ),
    )
  await rerender(element)
  return {
    host,
    rerender,
    unmount: async () => {
      await act(async () => root.unmount())
      host.remove()
    },
  }
}

/** Responds to each path with what `routes` has for it; a function gets the body of the request. Others are 404. */
export function stubService(routes: Readonly<Record<string, (body: Record<string, unknown>) => Response>>) {
  const requests: { path: string; body: Record<string, unknown> }[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const body: Record<string, unknown> = typeof init.body === 'string' ? JSON.parse(init.body) : {}
    requests.push({ path: url, body })
    return routes[url]?.(body) ?? Response.json({ detail: 'Not Found' }, { status: 404 })
  })
  return requests
}

export function jsonLines(rows: readonly object[]): Response {
  return new Response(rows.map((row) => `${JSON.stringify(row)}\n`).join(''), {
    headers: { 'content-type': 'application/jsonl' },
  })
}

/** Waits for what React renders by itself, when a response has arrived. */
export async function waitFor(check: () => void): Promise<void> {
  // Within act() it would not render before the end of the wait.
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  await vi.waitFor(check, { timeout: 20_000 })
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
}

/** Types into a field, in place of what it has. */
export async function fill(field: HTMLInputElement | HTMLTextAreaElement, text: string): Promise<void> {
  // React does not notice a value that is set the usual way.
  const prototype = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype
  await act(async () => {
    Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
}

export async function click(element: Element | null | undefined): Promise<void> {
  await act(async () => void element?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true })))
}

export function findButton(host: Element, name: string): HTMLButtonElement | undefined {
  return [...host.querySelectorAll('button')].find((each) => (each.getAttribute('aria-label') ?? each.textContent) === name)
}
