// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { createPreferencesStore, defaultPreferences } from './preferences-store'

beforeEach(() => localStorage.clear())

test('a changed preference is stored on the device', () => {
  createPreferencesStore().change({ zone: 'utc' })
  expect(createPreferencesStore().get()).toEqual({ ...defaultPreferences, zone: 'utc' })
})

test.each([
  ['nonsense', defaultPreferences],
  ['7', defaultPreferences],
  ['{}', defaultPreferences],
  ['{"theme":"dark","density":"huge"}', { ...defaultPreferences, theme: 'dark' }],
])('an invalid field falls back to its default: %s', (text, expected) => {
  localStorage.setItem('spool.preferences', text)
  expect(createPreferencesStore().get()).toEqual(expected)
})
