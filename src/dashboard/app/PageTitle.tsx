import { useEffect } from 'react'
import { markFirstContent } from '../ui/first-content'
import { useShownPageName } from '../ui/page-name'

// The browser places the focus of the first page. React state would not survive the remounts of this component.
let isFirstPage = true

/**
 * Stands beside a page inside its Suspense. When the page is rendered, the document takes the title, and the heading takes
 * the focus, so that screen reader users learn where they are.
 */
export function PageTitle({ title }: { title: string }) {
  const name = useShownPageName()
  // Title and focus belong to the document.
  useEffect(() => {
    document.title = `${name && `${name} · `}${title} · Spool`
  }, [name, title])
  useEffect(() => {
    if (isFirstPage) isFirstPage = false
    else if (!document.activeElement?.closest('main form')) {
      const heading = document.querySelector<HTMLElement>('main h1')
      heading?.setAttribute('tabindex', '-1')
      heading?.focus({ preventScroll: true })
    }
  }, [])
  // What is on screen is outside React. A busy table reports its first content itself.
  useEffect(() => {
    if (!document.querySelector('main [aria-busy=true]')) markFirstContent()
  }, [])
  return null
}
