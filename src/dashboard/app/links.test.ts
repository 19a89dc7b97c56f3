// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
// Dispatches the events of pushState and replaceState.
import { navigate } from 'wouter/use-browser-location'
import { createConnectionStore } from '../connection/connection-store'
import { keepProjectInAddress, takeSignInCode, withProject } from './links'

const listen = vi.spyOn(window, 'addEventListener')

/** The listeners of one tab end with it. */
function closeTab() {
  for (const [name, listener] of listen.mock.calls) window.removeEventListener(name, listener)
  listen.mockClear()
}

beforeEach(() => {
  listen.mockClear()
})
afterEach(() => {
  closeTab()
  localStorage.clear()
  sessionStorage.clear()
})

test('an address names the project once, after everything else', () => {
  expect(withProject('/threads', 'acme/support')).toBe('/threads?project=acme/support')
  expect(withProject('/threads?sort=-turn_count,p99', 'acme/support')).toBe('/threads?sort=-turn_count,p99&project=acme/support')
  expect(withProject('/costs?project=old/one&asof=2026-01-31', 'a b/&=?#')).toBe(
    '/costs?asof=2026-01-31&project=a%20b/%26%3D%3F%23',
  )
})

const address = () => location.pathname + location.search

function openTab(path: string) {
  closeTab()
  history.replaceState({}, '', path)
  const store = createConnectionStore()
  keepProjectInAddress(store)
  return store
}

const saved = {
  id: 'one',
  name: 'One',
  baseUrl: 'https://a.example',
  username: 'kim',
  projectId: 'acme/first',
  isRemembered: false,
}

test('the address of a signed-in tab has the project, wherever it goes', () => {
  const store = openTab('/threads?size=25')
  store.save(saved, 'secret', true)
  expect(address()).toBe('/threads?size=25&project=acme/first')
  navigate('/queues')
  expect(address()).toBe('/queues?project=acme/first')
  store.switchProject('acme/second')
  expect(address()).toBe('/queues?project=acme/second')
  navigate('/costs?project=nonsense')
  expect(address()).toBe('/costs?project=acme/second')
})

test('an address opens its project, in this tab only', () => {
  openTab('/costs').save(saved, 'secret', true)
  const store = openTab('/threads?project=acme%2Flinked')
  expect(store.getState().current?.projectId).toBe('acme/linked')
  expect(store.getState().connections).toMatchObject([{ projectId: 'acme/first' }])
  navigate('/threads?project=acme/third')
  expect(store.getState().current?.projectId).toBe('acme/third')
})

test('before the sign-in the address keeps the project for it', () => {
  const store = openTab('/threads?project=acme/linked')
  expect(store.getState().linkedProjectId).toBe('acme/linked')
  expect(address()).toBe('/threads?project=acme/linked')
  store.save({ ...saved, projectId: 'acme/linked' }, 'secret', true)
  store.signOut()
  navigate('/threads?project=acme/other')
  expect(store.getState().signInTarget?.projectId).toBe('acme/other')
})

test('opening a sign-in link takes the code out of the address and keeps the rest', () => {
  history.replaceState({}, '', '/threads?limit=20#code=abc')
  expect(takeSignInCode()).toBe('abc')
  expect(location.pathname + location.search + location.hash).toBe('/threads?limit=20')
  expect(takeSignInCode()).toBeUndefined()
})
