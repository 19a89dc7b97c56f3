import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { PageTitle } from './PageTitle'
import { PageSkeleton } from './PageSkeleton'
import { CostsPage } from '../costs/CostsPage'

// The first page is in the first file; the others come when somebody goes there.
const loadThreadsPage = () => import('../threads/ThreadsPage').then(({ ThreadsPage: component }) => ({ default: component }))
let ThreadsPage: ComponentType = lazy(loadThreadsPage)
const QueuesPage = lazy(() => import('../queues/QueuesPage').then(({ QueuesPage: component }) => ({ default: component })))
const NewQueuePage = lazy(() => import('../queues/NewQueuePage').then(({ NewQueuePage: component }) => ({ default: component })))
const QueuePage = lazy(() => import('../queues/QueuePage').then(({ QueuePage: component }) => ({ default: component })))
const SendPage = lazy(() => import('../setup/SetupPage').then(({ SetupPage: component }) => ({ default: component })))
const NotFoundPage = lazy(() => import('./NotFoundPage').then(({ NotFoundPage: component }) => ({ default: component })))
const ConnectionPage = lazy(() =>
  import('../connection/ConnectionPage').then(({ ConnectionPage: component }) => ({ default: component })),
)

/**
 * Loads the page of threads where a visit begins with it, so that it is drawn at once: React holds back for 300 ms what
 * comes after a fallback, and with it the question to the server.
 */
export async function loadFirstPage(path: string): Promise<void> {
  if (path !== '/threads') return
  try {
    ThreadsPage = (await loadThreadsPage()).default
  } catch {
    // Said in its place once all is drawn, where it is tried again.
  }
}

export function Routes() {
  return (
    <Switch>
      <Route path="/">
        <Redirect to={`/costs${location.search}`} replace />
      </Route>
      <Route path="/costs">{page('Costs', <CostsPage />)}</Route>
      <Route path="/threads">{page('Threads', <ThreadsPage />)}</Route>
      <Route path="/queues">{page('Queues', <QueuesPage />)}</Route>
      <Route path="/queues/new">{page('New queue', <NewQueuePage />)}</Route>
      <Route path="/queues/:id">{({ id }) => page('Queue', <QueuePage key={id} id={id} />)}</Route>
      <Route path="/send">{page('Send data', <SendPage />)}</Route>
      <Route path="/connection">{page('Connection', <ConnectionPage />)}</Route>
      <Route path="*">{(params) => page('No such page', <NotFoundPage path={`/${params['*']}`} />)}</Route>
    </Switch>
  )
}

function page(title: string, content: ReactNode) {
  return (
    <Suspense key={title} fallback={<PageSkeleton />}>
      {content}
      <PageTitle title={title} />
    </Suspense>
  )
}
