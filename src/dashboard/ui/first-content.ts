import { startTransition, useEffect, useState } from 'react'

// Of the document and not of a component: what came once need not wait on the next page.
let isShown = false
const listeners = new Set<() => void>()

/** What the page is looked at for has been committed: after the next frame the rest may come. */
export function markFirstContent(): void {
  if (isShown) return
  requestAnimationFrame(() =>
    setTimeout(() => {
      isShown = true
      for (const listener of listeners) listener()
    }),
  )
}

/**
 * False until the first content is on screen: what can wait for it neither delays it nor competes for the line. Turns true
 * in a transition: under a `Suspense` that is there already, what was drawn stays until the lazy part has come, and React
 * does not hold it back as it does after a fallback (300 ms).
 */
export function useIsFirstContentShown(): boolean {
  const [isKnown, setIsKnown] = useState(isShown)
  // The news come from outside React.
  useEffect(() => {
    const know = () => startTransition(() => setIsKnown(true))
    if (isShown) know()
    listeners.add(know)
    return () => {
      listeners.delete(know)
    }
  }, [])
  return isKnown
}
