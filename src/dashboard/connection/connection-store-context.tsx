import { createContext, type ReactNode, use, useSyncExternalStore } from 'react'
import type { ConnectionState, ConnectionStore } from './connection-store'

const StoreContext = createContext<ConnectionStore | undefined>(undefined)

export function ConnectionStoreProvider({ store, children }: { store: ConnectionStore; children: ReactNode }) {
  return <StoreContext value={store}>{children}</StoreContext>
}

/** The store, for components that change connections. */
export function useConnectionStore(): ConnectionStore {
  const store = use(StoreContext)
  if (!store) throw new Error('useConnectionStore needs a ConnectionStoreProvider above it')
  return store
}

/** The current state; the component renders again when it changes. */
export function useConnectionState(): ConnectionState {
  const store = useConnectionStore()
  return useSyncExternalStore(store.subscribe, store.getState)
}
