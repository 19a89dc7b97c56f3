import * as z from 'zod/mini'
import type { Preferences } from '../format/preferences'
import { storedValue } from '../client/stored-value'

export type Theme = 'system' | 'light' | 'dark'
export type AllPreferences = Preferences & { theme: Theme }

export const defaultPreferences: AllPreferences = { theme: 'system', zone: 'local', density: 'regular' }

/* oxlint-disable promise/valid-params -- zod's catch, not a promise's */
// index.html reads the same key before the first paint. An invalid field falls back to its default alone.
const stored = storedValue(
  z.object({
    theme: z.catch(z.enum(['system', 'light', 'dark']), defaultPreferences.theme),
    zone: z.catch(z.enum(['local', 'utc']), defaultPreferences.zone),
    density: z.catch(z.enum(['compact', 'regular', 'roomy']), defaultPreferences.density),
  }),
  'spool.preferences',
  'device',
)

export type PreferencesStore = ReturnType<typeof createPreferencesStore>

/** The preferences stored on this device. */
export function createPreferencesStore() {
  const listeners = new Set<() => void>()
  let preferences: AllPreferences = stored.read() ?? defaultPreferences
  const publish = () => {
    for (const listener of listeners) listener()
  }
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    get: () => preferences,
    change: (part: Partial<AllPreferences>) => {
      preferences = { ...preferences, ...part }
      stored.write(preferences)
      publish()
    },
    /** Reads the preferences again after another tab changed them. */
    refresh() {
      preferences = stored.read() ?? defaultPreferences
      publish()
    },
  }
}
