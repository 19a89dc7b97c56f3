import { createContext, type ReactNode, use } from 'react'
import type { TimeZone } from './instant'

export type Density = 'compact' | 'regular' | 'roomy'
export type Preferences = { zone: TimeZone; density: Density }

const PreferencesContext = createContext<Preferences>({ zone: 'local', density: 'regular' })

/** The preferences for everything below. The app stores them on the device. */
export function PreferencesProvider({ preferences, children }: { preferences: Preferences; children: ReactNode }) {
  return <PreferencesContext value={preferences}>{children}</PreferencesContext>
}

export function usePreferences(): Preferences {
  return use(PreferencesContext)
}
