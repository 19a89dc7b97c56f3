import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from 'react'
import { PreferencesProvider } from '../format/preferences'
import type { AllPreferences, PreferencesStore } from './preferences-store'

const StoreContext = createContext<PreferencesStore | undefined>(undefined)

/** Gives the preferences to all below and dresses the document in theme and density. */
export function PreferencesStoreProvider({ store, children }: { store: PreferencesStore; children: ReactNode }) {
  const preferences = useSyncExternalStore(store.subscribe, store.get)
  const { theme, density } = preferences
  // The document's element is outside React; for `system` the theme follows the device while the page is open.
  useEffect(() => {
    const device = matchMedia('(prefers-color-scheme: dark)')
    const dress = () => {
      const { dataset } = document.documentElement
      dataset['theme'] = theme === 'system' ? (device.matches ? 'dark' : 'light') : theme
      dataset['density'] = density
      const canvas = getComputedStyle(document.documentElement).backgroundColor
      document.querySelector('meta[name=theme-color]')?.setAttribute('content', canvas)
    }
    dress()
    device.addEventListener('change', dress)
    return () => device.removeEventListener('change', dress)
  }, [theme, density])
  return (
    <StoreContext value={store}>
      <PreferencesProvider preferences={preferences}>{children}</PreferencesProvider>
    </StoreContext>
  )
}

/** All preferences and how to change them; pages need only `usePreferences`. */
export function useAllPreferences(): [AllPreferences, (part: Partial<AllPreferences>) => void] {
  const store = use(StoreContext)
  if (!store) throw new Error('useAllPreferences needs a PreferencesStoreProvider above it')
  return [useSyncExternalStore(store.subscribe, store.get), store.change]
}
