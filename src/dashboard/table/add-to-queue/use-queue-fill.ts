import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { queryQueueItems, queryQueueStats } from '../../../contract/queue-items'
import type { Connection } from '../../client/connection'
import { useConnection } from '../../client/connection-context'
import { refetchOperation } from '../../client/refetch-operation'
import type { FillJob } from './fill-job'
import { QueueFill } from './queue-fill'

// Module state: a job goes on while other pages are open.
const fills = new Map<string, QueueFill>()

/** The job of this connection and project, and what it does now. */
export function useQueueFill() {
  const fill = getFill(useConnection())
  const queryClient = useQueryClient()
  const run = async (work: Promise<void>) => {
    await work
    for (const operation of [queryQueueItems, queryQueueStats]) void refetchOperation(queryClient, operation)
  }
  return {
    state: useSyncExternalStore(fill.subscribe, fill.getState),
    start: (job: FillJob) => void run(fill.start(job)),
    resume: () => void run(fill.resume()),
    stop: () => fill.stop(),
    forget: () => fill.forget(),
    /** A result that was read is not shown again. */
    forgetDone: () => {
      if (fill.getState()?.status === 'done') fill.forget()
    },
  }
}

export type QueueFillControls = Omit<ReturnType<typeof useQueueFill>, 'state' | 'start'>

function getFill(connection: Connection): QueueFill {
  // The password may change, and a request needs the one of now.
  const key = JSON.stringify(connection)
  const known = fills.get(key)
  if (known) return known
  const fill = new QueueFill(connection)
  fills.set(key, fill)
  return fill
}
