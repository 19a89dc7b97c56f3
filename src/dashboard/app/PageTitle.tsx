import { useEffect } from 'react'
import { markFirstContent } from '../ui/first-content'

// The first page of a visit leaves the focus where the browser puts it; React's own state would not survive its remounts.
let isFirstPage = true

/**
 * To be rendered beside a page, in its Suspense: once the page is there the document takes its title, and its heading
 * the focus, so that readers learn where they are.
 */
export function PageTitle({ title }: { title: string }) {
  // Title and focus are the document's.
  useEffect(() => {
    document.title = `${title} · Spool`
    if (isFirstPage) isFirstPage = false
    else if (!document.activeElement?.closest('main form')) {
      const heading = document.querySelector<HTMLElement>('main h1')
      heading?.setAttribute('tabindex', '-1')
      heading?.focus({ preventScroll: true })
    }
  }, [title])
  // What is on screen is outside React. A busy table says itself when its rows are there.
  useEffect(() => {
    if (!document.querySelector('main [aria-busy=true]')) markFirstContent()
  }, [])
  return null
}
