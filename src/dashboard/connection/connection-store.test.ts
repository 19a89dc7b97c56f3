// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { createConnectionStore, type SavedConnection } from './connection-store'

const saved = (id: string, part: Partial<SavedConnection> = {}): SavedConnection => ({
  id,
  name: id,
  baseUrl: '',
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
