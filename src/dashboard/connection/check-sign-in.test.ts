// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { ForbiddenError, UnauthorizedError } from '../client/api-error'
import { checkSignIn } from './check-sign-in'

const connection = { id: 'a', name: 'a', baseUrl: '', username: 'ann', password: 'x', projectId: 'acme/support' }
const problem = { detail: [{ loc: ['header', 'authorization'], msg: 'Wrong password.', type: 'unauthorized' }] }

afterEach(() => vi.unstubAllGlobals())

function respond(responses: Record<string, (init: RequestInit) => Promise<Response> | Response>) {
  const fetch = vi.fn(async (url: string, init: RequestInit) => responses[url]?.(init) ?? new Response('', { status: 404 }))
  vi.stubGlobal('fetch', fetch)
  return fetch
}

const costs = () => Response.json({ results: [] })

test('the first project of the server is opened where it does not have the wanted one', async () => {
  respond({ '/projects': () => Response.json({ projects: ['acme/chat', 'acme/search'] }) })
  expect(await checkSignIn(connection, false)).toBe('acme/chat')
  expect(await checkSignIn(connection, true)).toBe('acme/support')
})

test.each<[string, () => Response | Promise<Response>]>([
  ['401', () => Response.json({ detail: 'Not authenticated' }, { status: 401 })],
  ['403', () => new Response('no', { status: 403 })],
  ['400', () => new Response('no', { status: 400 })],
  ['500', () => new Response('no', { status: 500 })],
  ['a page', () => new Response('<html>')],
  ['another list', () => Response.json(['a'])],
  ['no CORS', async () => Promise.reject(new TypeError('Failed to fetch'))],
])('a service whose /projects answers %s lets people in', async (_, projects) => {
  respond({ '/projects': projects, '/cost/query': costs })
  expect(await checkSignIn(connection, false)).toBe('acme/support')
})

test('a list of projects that never comes keeps nobody out', async () => {
  vi.useFakeTimers()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  respond({
    '/projects': async ({ signal }) =>
      new Promise((_, reject) => {
        if (signal?.aborted) reject(new Error('aborted'))
      }),
    '/cost/query': costs,
  })
  expect(await checkSignIn(connection, false)).toBe('acme/support')
  timeout.mockRestore()
  vi.useRealTimers()
})

test('wrong credentials are refused, and of a Spool only one attempt counts', async () => {
  const refuse = () => Response.json(problem, { status: 401 })
  const fetch = respond({ '/projects': refuse, '/cost/query': refuse })
  await expect(checkSignIn(connection, false)).rejects.toBeInstanceOf(UnauthorizedError)
  expect(fetch).toHaveBeenCalledTimes(1)
  respond({ '/cost/query': () => new Response('', { status: 401 }) })
  await expect(checkSignIn(connection, false)).rejects.toBeInstanceOf(UnauthorizedError)
  respond({ '/cost/query': () => new Response('', { status: 403 }) })
  await expect(checkSignIn(connection, false)).rejects.toBeInstanceOf(ForbiddenError)
})
