import { useEffect, useSyncExternalStore } from 'react'

// Module state: there is one document.
let name = ''
const listeners = new Set<() => void>()

function setName(next: string): void {
  name = next
  for (const listener of listeners) listener()
}

/** Whose page this is: the id of a thread, the name of a queue. It comes before the title in the tab of the browser. */
export function usePageName(next = ''): void {
  // The document is outside React.
  useEffect(() => {
    setName(next)
    return () => setName('')
  }, [next])
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What the page on screen named; '' where it named nothing. */
export function useShownPageName(): string {
  return useSyncExternalStore(subscribe, () => name)
}
