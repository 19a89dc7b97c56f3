// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { BusyError } from '../client/api-error'
import { describeSignInError } from './describe-sign-in-error'
import { startSession } from './start-session'

afterEach(() => vi.unstubAllGlobals())

/** What the form says after the service responded with this to the username and the password. */
async function describeResponse(status: number, headers: Record<string, string> = {}) {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Response.json({ detail: [{ loc: [], msg: 'The store is busy.', type: 'busy' }] }, { status, headers })),
  )
  const error = await startSession({ username: 'ann', password: 'wrong', isRemembered: false }).catch((reason: unknown) => reason)
  if (!(error instanceof Error)) throw new Error('The sign-in did not fail.')
  return describeSignInError(error)
}

test('a wrong password is called wrong', async () => {
  expect(await describeResponse(401)).toEqual({ title: 'Not signed in', text: 'The username or password is wrong.' })
})

test('after too many wrong passwords the form says so, and when to try again', async () => {
  const { text } = await describeResponse(429, { 'retry-after': '10' })
  expect(text).toBe('Too many failed sign-ins. Try again in 10 s.')
  expect((await describeResponse(429)).text).toBe('Too many failed sign-ins. Try again later.')
})

test('a server that is busy is not taken for too many wrong passwords', async () => {
  expect((await describeResponse(503, { 'retry-after': '2' })).text).toBe('The store is busy.')
  const error = new BusyError({ method: 'POST', path: '/projects' }, 429, 1)
  expect(describeSignInError(error).text).toBe('The server is too busy to respond. Try again in 1 s.')
})
