import { useEffect } from 'react'
import { answerOtherTabs } from '../client/password-handover'
import { hasOwnSession } from '../connection/connection-store'
import { useConnectionStore } from '../connection/connection-store-context'

/** Shares the passwords of this tab with other tabs of this browser, and a sign-out too. */
export function usePasswordHandover(): void {
  const store = useConnectionStore()
  // Other tabs are outside React.
  useEffect(() => {
    const tabs = answerOtherTabs({
      passwordOf: (id) => {
        const saved = store.getState().connections.find((each) => each.id === id)
        return saved && !hasOwnSession(saved) ? store.passwordOf(id) : undefined
      },
      onForget: (id) => {
        if (store.getState().current?.id === id) store.signOut()
      },
    })
    let before = store.getState().current
    const unsubscribe = store.subscribe(() => {
      const { current, signInTarget } = store.getState()
      // Another connection without a password is no sign-out.
      if (before?.baseUrl && !current && signInTarget?.id === before.id) tabs.forget(before.id)
      before = current
    })
    return () => {
      unsubscribe()
      tabs.close()
    }
  }, [store])
}
