// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { click, fill, findButton, render, stubService, waitFor } from '../../testing/render'
import { createConnectionStore } from './connection-store'
import { ConnectionStoreProvider } from './connection-store-context'
import { SignInPage } from './SignInPage'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
afterEach(() => {
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

const own = { id: 'own', name: 'own', baseUrl: '', username: 'kim', projectId: 'acme/support', isRemembered: false }
const other = { ...own, id: 'other', name: 'other', baseUrl: 'https://other.example', username: 'ann' }

test.each([
  ['this server offers its session', own, true],
  ['another server does not', other, false],
])('the sign-in to %s', async (_, target, isOffered) => {
  const store = createConnectionStore()
  store.startSession({ ...own, hasSession: true })
  store.save(target, '', true)
  const state = { ...store.getState(), current: undefined, signInTarget: target, sessionUsername: 'kim' }
  store.getState = () => state
  const { host } = await render(
    <ConnectionStoreProvider store={store}>
      <SignInPage />
    </ConnectionStoreProvider>,
  )
  await waitFor(() => expect(host.querySelector('h1')).not.toBeNull())
  expect(host.textContent.includes('is signed in in this browser')).toBe(isOffered)
})

test('what was wrong with an attempt is not said beside what is wrong with the next one', async () => {
  stubService({
    '/session': () => Response.json({ detail: [{ loc: [], msg: 'Wrong.', type: 'unauthorized' }] }, { status: 401 }),
  })
  const { host } = await render(
    <ConnectionStoreProvider store={createConnectionStore()}>
      <SignInPage />
    </ConnectionStoreProvider>,
  )
  const fillIn = async (label: string, text: string) => {
    const field = host.querySelector<HTMLInputElement>(`input[name=${label}]`)
    if (field) await fill(field, text)
  }
  await fillIn('username', 'kim')
  await fillIn('password', 'wrong')
  await fillIn('project', 'acme/support')
  await click(findButton(host, 'Sign in'))
  await waitFor(() => expect(host.textContent).toContain('The username or password is wrong'))
  await fillIn('password', 'right')
  expect(host.textContent).toContain('The username or password is wrong')
  await fillIn('project', 'acme')
  await click(findButton(host, 'Sign in'))
  expect(host.textContent).toContain('entity/project')
  expect(host.textContent).not.toContain('The username or password is wrong')
  await fillIn('project', 'acme/support')
  expect(host.textContent).not.toContain('The username or password is wrong')
})
