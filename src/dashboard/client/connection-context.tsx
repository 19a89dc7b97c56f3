import { createContext, type ReactNode, use } from 'react'
import type { Connection } from './connection'

const ConnectionContext = createContext<Connection | undefined>(undefined)

/** Gives the connection in use to everything below; the app decides which. */
export function ConnectionProvider({ connection, children }: { connection: Connection; children: ReactNode }) {
  return <ConnectionContext value={connection}>{children}</ConnectionContext>
}

/** The connection in use. Throws outside a `ConnectionProvider`: a page without one is a mistake in the code. */
export function useConnection(): Connection {
  const connection = use(ConnectionContext)
  if (!connection) throw new Error('useConnection needs a ConnectionProvider above it')
  return connection
}
