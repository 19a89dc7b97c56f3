import { useState } from 'react'
import * as z from 'zod/mini'
import { usesSession } from '../client/connection'
import { useConnection } from '../client/connection-context'
import { storedValue } from '../client/stored-value'
import type { SetView } from '../table/view/use-url-state'
import type { ThreadView } from './thread-view'

const stored = storedValue(z.boolean(), 'spool.threads.overview', 'device')

/**
 * Whether the overview above the rows is unfolded: as this device left it, and always where the URL names a part of it. At
 * first it is where there is room, on a service that is known to have it.
 */
export function useOverviewState({ show }: ThreadView, setView: SetView<ThreadView>) {
  const isSpool = usesSession(useConnection())
  const [isKept, setIsKept] = useState(() => stored.read() ?? (isSpool && innerWidth >= 900))
  const isOpen = isKept || show !== 'shape'
  const toggle = () => {
    setIsKept(!isOpen)
    stored.write(!isOpen)
    if (isOpen && show !== 'shape') setView({ show: 'shape' })
  }
  return { isOpen, toggle }
}
