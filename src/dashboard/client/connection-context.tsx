import { createContext, type ReactNode, use } from 'react'
import type { Connection } from './connection'

const ConnectionContext = createContext<Connection | undefined>(undefined)

/** Provides the current connection; the app decides which one that is. */
export function ConnectionProvider({ connection, children }: { connection: Connection; children: ReactNode }) {
  return <ConnectionContext value={connection}>{children}</ConnectionContext>
}

/** The current connection. Throws outside a `ConnectionProvider`. */
export function useConnection(): Connection {
  const connection = use(ConnectionContext)
  if (!connection) throw new Error('useConnection needs a ConnectionProvider above it')
  return connection
}
