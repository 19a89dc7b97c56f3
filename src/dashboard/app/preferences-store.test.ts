// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { createPreferencesStore, defaultPreferences } from './preferences-store'

beforeEach(() => localStorage.clear())

test('what is chosen is kept on the device', () => {
  createPreferencesStore().change({ zone: 'utc' })
  expect(createPreferencesStore().get()).toEqual({ ...defaultPreferences, zone: 'utc' })
})

test.each([
  ['nonsense', defaultPreferences],
  ['7', defaultPreferences],
  ['{}', defaultPreferences],
  ['{"theme":"dark","density":"huge"}', { ...defaultPreferences, theme: 'dark' }],
])('stored %s, one bad field does not lose the others', (text, expected) => {
  localStorage.setItem('spool.preferences', text)
  expect(createPreferencesStore().get()).toEqual(expected)
})
