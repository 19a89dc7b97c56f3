import { createContext, type ReactNode, use } from 'react'

export type Zone = 'local' | 'utc'
export type Density = 'compact' | 'regular' | 'roomy'
export type Preferences = { zone: Zone; density: Density }

const PreferencesContext = createContext<Preferences>({ zone: 'local', density: 'regular' })

/** How this person wants things shown, everywhere; the app keeps it on the device. */
export function PreferencesProvider({ preferences, children }: { preferences: Preferences; children: ReactNode }) {
  return <PreferencesContext value={preferences}>{children}</PreferencesContext>
}

export function usePreferences(): Preferences {
  return use(PreferencesContext)
}
