import { useSyncExternalStore } from 'react'

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

/** False until the first content is on screen: what can wait for it neither delays it nor competes for the line. */
export function useIsFirstContentShown(): boolean {
  return useSyncExternalStore(subscribe, () => isShown)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
