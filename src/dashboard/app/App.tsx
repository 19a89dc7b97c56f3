import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { ConnectionProvider } from '../client/connection-context'
import { createQueryClient } from '../client/create-query-client'
import type { ConnectionStore } from '../connection/connection-store'
import { ConnectionStoreProvider, useConnectionState } from '../connection/connection-store-context'
import { PageTitle } from './PageTitle'
import { ErrorBoundary } from './ErrorBoundary'
import { PageSkeleton } from './PageSkeleton'
import { PreferencesStoreProvider } from './preferences-context'
import type { PreferencesStore } from './preferences-store'
import { Routes } from './Routes'
import { Shell } from './Shell'

const SignInPage = lazy(() => import('../connection/SignInPage').then(({ SignInPage: component }) => ({ default: component })))
const ConnectionPage = lazy(() =>
  import('../connection/ConnectionPage').then(({ ConnectionPage: component }) => ({ default: component })),
)

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

/** A cache of its own for each server and user: switching leaves nothing of the one before, and ends its streams. */
function Connected({ store }: { store: ConnectionStore }) {
  const { current } = useConnectionState()
  const identity = current ? `${current.id} ${current.baseUrl} ${current.username}` : 'nobody'
  return <WithCache key={identity} store={store} />
}

function WithCache({ store }: { store: ConnectionStore }) {
  const { current } = useConnectionState()
  const [path] = useLocation()
  const [search] = useSearchParams()
  const [queryClient] = useState(() =>
    createQueryClient({
      onUnauthorized: () =>
        store.signOut({
          tone: 'warn',
          title: 'Please sign in again',
          text: 'The server did not accept the username and password.',
        }),
    }),
  )
  // Requests run outside React: those of a cache that is left must end with it.
  useEffect(
    () => () => {
      void queryClient.cancelQueries()
      queryClient.clear()
    },
    [queryClient],
  )

  if (current) {
    return (
      <QueryClientProvider client={queryClient}>
        <ConnectionProvider connection={current}>
          <Shell isSignedIn>
            <ErrorBoundary resetKey={`${current.projectId} ${path}`}>
              <Routes key={current.projectId} />
            </ErrorBoundary>
          </Shell>
        </ConnectionProvider>
      </QueryClientProvider>
    )
  }
  const isAddingServer = path === '/connection' && search.has('edit')
  return (
    <QueryClientProvider client={queryClient}>
      <Shell isSignedIn={false}>
        <ErrorBoundary resetKey={path}>
          <Suspense fallback={<PageSkeleton />}>
            {isAddingServer ? <ConnectionPage /> : <SignInPage />}
            <PageTitle title={isAddingServer ? 'Connection' : 'Sign in'} />
          </Suspense>
        </ErrorBoundary>
      </Shell>
    </QueryClientProvider>
  )
}
