import { startTransition, useEffect, useState } from 'react'
import { afterFrame } from './after-frame'

// Module state: content that was shown once does not delay the tools of the next page.
let isShown = false
const listeners = new Set<() => void>()

/** Call it when the main content is committed: after the next frame the deferred parts render. */
export function markFirstContent(): void {
  if (isShown) return
  afterFrame(() => {
    isShown = true
    for (const listener of listeners) listener()
  })
}

/** Whether a page has shown its content since the dashboard was loaded. */
export function isContentShown(): boolean {
  return isShown
}

/**
 * False until the first content is on screen, so that deferred parts neither delay it nor share its bandwidth. It turns true
 * in a transition: React keeps the rendered placeholder until the lazy part is loaded, without the delay after a fallback.
 */
export function useIsFirstContentShown(): boolean {
  const [isUpdated, setIsUpdated] = useState(isShown)
  // The module state is outside React.
  useEffect(() => {
    const update = () => startTransition(() => setIsUpdated(true))
    if (isShown) update()
    listeners.add(update)
    return () => {
      listeners.delete(update)
    }
  }, [])
  return isUpdated
}
