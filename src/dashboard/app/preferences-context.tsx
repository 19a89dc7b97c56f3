import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from 'react'
import { PreferencesProvider } from '../format/preferences'
import type { AllPreferences, PreferencesStore } from './preferences-store'

const StoreContext = createContext<PreferencesStore | undefined>(undefined)

/** Provides the preferences, and applies theme and density to the document. */
export function PreferencesStoreProvider({ store, children }: { store: PreferencesStore; children: ReactNode }) {
  const preferences = useSyncExternalStore(store.subscribe, store.get)
  const { theme, density } = preferences
  // The document element is outside React. The theme `system` follows the device while the page is open.
  useEffect(() => {
    const device = matchMedia('(prefers-color-scheme: dark)')
    const apply = () => {
      const { dataset } = document.documentElement
      dataset['theme'] = theme === 'system' ? (device.matches ? 'dark' : 'light') : theme
      dataset['density'] = density
      const canvas = getComputedStyle(document.documentElement).backgroundColor
      document.querySelector('meta[name=theme-color]')?.setAttribute('content', canvas)
    }
    apply()
    device.addEventListener('change', apply)
    return () => device.removeEventListener('change', apply)
  }, [theme, density])
  return (
    <StoreContext value={store}>
      <PreferencesProvider preferences={preferences}>{children}</PreferencesProvider>
    </StoreContext>
  )
}

/** All preferences and a function to change them. Pages need only `usePreferences`. */
export function useAllPreferences(): [AllPreferences, (part: Partial<AllPreferences>) => void] {
  const store = use(StoreContext)
  if (!store) throw new Error('useAllPreferences needs a PreferencesStoreProvider above it')
  return [useSyncExternalStore(store.subscribe, store.get), store.change]
}
