import { useEffect, useState } from 'react'
import { useConnection } from '../../client/connection-context'
import { storedValue } from '../../client/stored-value'
import { continueVisit, Visit } from './last-visit'

/**
 * When this person's last visit of the threads of this project ended, milliseconds; null before there was one. Kept on this
 * device. `readAt` is when what is on screen was read: each time somebody has looked.
 */
export function useLastVisit(readAt: number): number | null {
  const { projectId } = useConnection()
  const stored = storedVisit(projectId)
  const [seen, setSeen] = useState(() => ({ key: stored.key, readAt, visit: continueVisit(stored.read(), readAt) }))
  const isSameProject = seen.key === stored.key
  if (!isSameProject || seen.readAt !== readAt) {
    setSeen({ key: stored.key, readAt, visit: continueVisit(isSameProject ? seen.visit : stored.read(), readAt) })
  }
  // Storage is outside React.
  useEffect(() => void storedVisit(projectId).write(seen.visit), [projectId, seen])
  return seen.visit.sinceMs
}

function storedVisit(projectId: string) {
  return storedValue(Visit, `spool.threads.visit.${projectId}`, 'device')
}
