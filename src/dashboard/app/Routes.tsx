import { createElement, type ReactElement, Suspense, useDeferredValue } from 'react'
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter'
import { lazyPart } from '../client/lazy-part'
import { PartFallback } from '../table/grid/PartFallback'
import { isContentShown } from '../ui/first-content'
import { PageHeader } from '../ui/PageHeader'
import { NotFoundPage } from './NotFoundPage'
import { type Page, pages } from './pages'
import { PageTitle } from './PageTitle'

const SignInPage = lazyPart(async () => (await import('../connection/SignInPage')).SignInPage)

const contents = new Map<Page, ReactElement>(pages.map((page) => [page, createElement(lazyPart(page.load))]))

/**
 * Loads the page at this path, so that the first render shows it at once. React would show the skeleton first, and then
 * wait 300 ms before it replaces it (https://react.dev/reference/react/Suspense: throttled reveal).
 */
export async function preloadPage(path: string): Promise<void> {
  const page = pages.find((each) => each.path === path)
  if (!page) return
  try {
    contents.set(page, createElement(await page.load()))
  } catch {
    // The lazy component tries again and reports the failure.
  }
}

export function Routes() {
  return (
    <Switch>
      <Route path="/">
        <Redirect to={`/costs${location.search}`} replace />
      </Route>
      {pages.map((page) => (
        <Route key={page.path} path={page.path}>
          <PageContent page={page} />
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  )
}

/** Every address shows the sign-in form; only `/connection?edit=new` can add another server first. */
export function SignedOutRoutes() {
  const [path] = useLocation()
  const search = useSearch()
  const connectionPage = pages.find((page) => page.path === '/connection')
  if (connectionPage && path === '/connection' && search.includes('edit=')) return <PageContent page={connectionPage} />
  return (
    <Suspense fallback={<PartFallback />}>
      <SignInPage />
      <PageTitle title="Sign in" />
    </Suspense>
  )
}

function PageContent({ page }: { page: Page }) {
  // The answer to a click is the heading: a whole page takes several frames. At the start nobody has clicked.
  const isAnswered = useDeferredValue(true, !isContentShown())
  if (!isAnswered) {
    return (
      <>
        {page.section && <PageHeader title={page.title} />}
        <PartFallback />
      </>
    )
  }
  return (
    <Suspense key={page.path} fallback={<PartFallback />}>
      {contents.get(page)}
      <PageTitle title={page.title} />
    </Suspense>
  )
}

function NotFound() {
  const [path] = useLocation()
  return (
    <>
      <NotFoundPage path={path} />
      <PageTitle title="Page not found" />
    </>
  )
}
