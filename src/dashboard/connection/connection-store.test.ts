// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { createConnectionStore, type SavedConnection } from './connection-store'

const saved = (id: string, part: Partial<SavedConnection> = {}): SavedConnection => ({
  id,
  name: id,
  baseUrl: 'https://one.example',
  username: 'ann',
  projectId: 'acme/support',
  isRemembered: false,
  ...part,
})

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

test('a new store has no connections', () => {
  expect(createConnectionStore().getState()).toMatchObject({ connections: [], current: undefined, signInTarget: undefined })
})

test('a saved connection is used, and its password stays in the tab', () => {
  const store = createConnectionStore()
  store.save(saved('one'), 'secret', true)
  expect(store.getState().current).toMatchObject({ id: 'one', password: 'secret', projectId: 'acme/support' })
  expect(JSON.stringify(localStorage)).not.toContain('secret')
  expect(createConnectionStore().getState().current?.password).toBe('secret')

  sessionStorage.clear()
  const later = createConnectionStore().getState()
  expect(later.current).toBeUndefined()
  expect(later.signInTarget).toMatchObject({ id: 'one', username: 'ann' })
})

test('a remembered password stays on the device until the person changes that', () => {
  const store = createConnectionStore()
  store.save(saved('one', { isRemembered: true }), 'secret', true)
  sessionStorage.clear()
  expect(createConnectionStore().getState().current?.password).toBe('secret')
  store.save(saved('one'), 'secret', true)
  expect(JSON.stringify(localStorage)).not.toContain('secret')
})

test('signing out forgets the password and keeps the reason', () => {
  const store = createConnectionStore()
  store.save(saved('one', { isRemembered: true }), 'secret', true)
  store.signOut({ tone: 'warn', title: 'Please sign in again' })
  expect(store.getState()).toMatchObject({
    current: undefined,
    signInTarget: { id: 'one' },
    note: { title: 'Please sign in again' },
  })
  expect(JSON.stringify(localStorage)).not.toContain('secret')
})

test('a second sign-out keeps the first reason', () => {
  const store = createConnectionStore()
  store.save(saved('one'), 'secret', true)
  store.signOut({ tone: 'warn', title: 'first' })
  store.signOut({ tone: 'warn', title: 'second' })
  expect(store.getState().note?.title).toBe('first')
})

test('each connection remembers its last project', () => {
  const store = createConnectionStore()
  store.save(saved('one'), 'a', true)
  store.save(saved('two', { baseUrl: 'https://two.example' }), 'b', true)
  expect(store.getState().current).toMatchObject({ id: 'two', password: 'b' })
  store.switchProject('acme/other')
  store.select('one')
  expect(store.getState().current).toMatchObject({ id: 'one', projectId: 'acme/support' })
  store.select('two')
  expect(store.getState().current).toMatchObject({ id: 'two', projectId: 'acme/other' })
  expect(store.getState().recentProjects).toEqual(['acme/other', 'acme/support'])
})

test('a new name does not change the project of the tab', () => {
  const store = createConnectionStore()
  store.save(saved('one'), 'a', true)
  store.openProject('linked/project')
  store.save(saved('one', { name: 'Mine' }), 'a', true)
  expect(store.getState().current).toMatchObject({ name: 'Mine', projectId: 'linked/project' })
})

test('removing the current connection signs out', () => {
  const store = createConnectionStore()
  store.save(saved('one', { isRemembered: true }), 'secret', true)
  store.remove('one')
  expect(store.getState()).toMatchObject({ connections: [], current: undefined, signInTarget: undefined })
  expect(JSON.stringify(localStorage) + JSON.stringify(sessionStorage)).not.toContain('secret')
})

test('damaged storage is read as empty', () => {
  localStorage.setItem('spool.connections', '[{"id": 1}]')
  localStorage.setItem('spool.passwords', 'nonsense')
  expect(createConnectionStore().getState().connections).toEqual([])
})

const own = (id: string, part: Partial<SavedConnection> = {}) => saved(id, { baseUrl: '', ...part })
const stored = () => JSON.stringify(localStorage) + JSON.stringify(sessionStorage)
/** As in another tab: the device's storage is the same, the tab's is not. */
function openOtherTab() {
  const tab = JSON.stringify(sessionStorage)
  sessionStorage.clear()
  const store = createConnectionStore()
  sessionStorage.clear()
  for (const [key, value] of Object.entries<string>(JSON.parse(tab))) sessionStorage.setItem(key, value)
  return store
}

test('a session of the own server needs no password, in every tab and after a reload', () => {
  const store = createConnectionStore()
  const early = openOtherTab()
  store.startSession(own('one'))
  const expected = { id: 'one', username: 'ann', password: '', projectId: 'acme/support' }
  expect(store.getState().current).toMatchObject(expected)
  expect(createConnectionStore().getState().current).toMatchObject(expected)
  expect(openOtherTab().getState().current).toMatchObject(expected)
  early.refresh()
  expect(early.getState().current).toMatchObject(expected)
})

test('signing out ends the session in all tabs', () => {
  const store = createConnectionStore()
  store.startSession(own('one'))
  const other = openOtherTab()
  store.signOut()
  other.refresh()
  for (const each of [store, other, createConnectionStore()]) {
    expect(each.getState()).toMatchObject({ current: undefined, sessionUsername: undefined, signInTarget: { id: 'one' } })
  }
})

test.each([
  ['the same connection', 'one'],
  ['another connection', 'two'],
])('when another user signs in to %s, a tab shows nothing until the person agrees', (_, id) => {
  const store = createConnectionStore()
  store.startSession(own('one'))
  const other = openOtherTab()
  store.startSession(own(id, { username: 'kim' }))
  other.refresh()
  expect(other.getState()).toMatchObject({ current: undefined, sessionUsername: 'kim', signInTarget: { id: 'one' } })
  other.select(id)
  expect(other.getState().current).toMatchObject({ username: 'kim' })
})

test('the end of an older session does not sign out the session that another tab has started since', () => {
  const store = createConnectionStore()
  store.startSession(own('one'))
  const other = openOtherTab()
  localStorage.setItem('spool.session', '{"username":"ann","startedAt":1}')
  other.signOut({ tone: 'warn', title: 'Your session has ended.' })
  expect(other.getState()).toMatchObject({ current: { username: 'ann' }, note: undefined })
})

test('passwords that an earlier version stored for the own server are deleted', () => {
  const connections = [own('one'), own('two', { baseUrl: location.origin }), saved('three', { isRemembered: true })]
  localStorage.setItem('spool.connections', JSON.stringify(connections))
  localStorage.setItem('spool.passwords', '{"one":"device-secret","three":"kept"}')
  sessionStorage.setItem('spool.passwords', '{"one":"tab-secret","two":"tab-secret"}')
  const store = createConnectionStore()
  expect(stored()).not.toMatch(/secret/)
  expect(['one', 'two', 'three'].map((id) => store.passwordOf(id))).toEqual([undefined, undefined, 'kept'])
})

test('a server of this page that has no sessions keeps its password in the tab', () => {
  const store = createConnectionStore()
  store.save(own('one', { hasSession: false }), 'secret', true)
  expect(createConnectionStore().getState().current?.password).toBe('secret')
  expect(JSON.stringify(localStorage)).not.toContain('secret')
})

test('subscribers are notified of each change until they unsubscribe', () => {
  const store = createConnectionStore()
  let count = 0
  const stop = store.subscribe(() => {
    count += 1
  })
  store.save(saved('one'), 'a', true)
  stop()
  store.signOut()
  expect(count).toBe(1)
})
