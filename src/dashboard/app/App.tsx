import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Router, useLocation } from 'wouter'
import { ConnectionProvider } from '../client/connection-context'
import { createQueryClient } from '../client/create-query-client'
import type { ConnectionStore } from '../connection/connection-store'
import { ConnectionStoreProvider, useConnectionState } from '../connection/connection-store-context'
import { ErrorBoundary } from './ErrorBoundary'
import { withProject } from './links'
import { PreferencesStoreProvider } from './preferences-context'
import type { PreferencesStore } from './preferences-store'
import { Routes, SignedOutRoutes } from './Routes'
import { Shell } from './Shell'

type Props = { connectionStore: ConnectionStore; preferencesStore: PreferencesStore }

export function App({ connectionStore, preferencesStore }: Props) {
  return (
    <PreferencesStoreProvider store={preferencesStore}>
      <ConnectionStoreProvider store={connectionStore}>
        <Connected store={connectionStore} />
      </ConnectionStoreProvider>
    </PreferencesStoreProvider>
  )
}

/** Each server and user has its own query cache: switching drops the data of the previous one and stops its streams. */
function Connected({ store }: { store: ConnectionStore }) {
  const { current } = useConnectionState()
  const identity = current ? `${current.id} ${current.baseUrl} ${current.username}` : 'nobody'
  return <WithQueryCache key={identity} store={store} />
}

function WithQueryCache({ store }: { store: ConnectionStore }) {
  const { current } = useConnectionState()
  const [path] = useLocation()
  // What a new tab opens. A click in this tab needs no project: its address gets it anyway.
  const [hrefs] = useState(() => (href: string) => {
    const projectId = store.getState().current?.projectId
    return projectId === undefined ? href : withProject(href, projectId)
  })
  const [queryClient] = useState(() =>
    createQueryClient({
      onUnauthorized: ({ message }) => store.signOut({ tone: 'warn', title: message }),
    }),
  )
  // Requests run outside React and must stop with their cache.
  useEffect(
    () => () => {
      void queryClient.cancelQueries()
      queryClient.clear()
    },
    [queryClient],
  )

  return (
    <QueryClientProvider client={queryClient}>
      {current ? (
        <ConnectionProvider connection={current}>
          <Router hrefs={hrefs}>
            <Shell isSignedIn>
              <ErrorBoundary resetKey={`${current.projectId} ${path}`}>
                <Routes key={current.projectId} />
              </ErrorBoundary>
            </Shell>
          </Router>
        </ConnectionProvider>
      ) : (
        <Shell isSignedIn={false} isDoor>
          <ErrorBoundary resetKey={path}>
            <SignedOutRoutes />
          </ErrorBoundary>
        </Shell>
      )}
    </QueryClientProvider>
  )
}
