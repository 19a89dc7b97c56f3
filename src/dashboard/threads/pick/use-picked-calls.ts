import { useSyncExternalStore } from 'react'
import { connectionIdentity } from '../../client/connection'
import { useConnection } from '../../client/connection-context'
import { useCanAddToQueue } from '../../table/add-to-queue/use-can-add-to-queue'
import { announce } from '../../ui/announce'
import { PickedCalls } from './picked-calls'

// Module state: people pick turns and calls of several threads before they do something with them.
const picked = new PickedCalls()

/** The turns and calls that are picked, by id, until they are cleared or another project is opened. */
export function usePickedCalls() {
  const connection = useConnection()
  const owner = JSON.stringify([connectionIdentity(connection), connection.projectId])
  return {
    ids: useSyncExternalStore(picked.subscribe, () => picked.list(owner)),
    /** Without a service that takes calls into queues nothing can be done with them. */
    canPick: useCanAddToQueue(),
    /** Picks the one at `index`, or no longer; `isRange`: with all since the one before. */
    toggle: (listed: readonly string[], index: number, isRange: boolean) => {
      picked.toggle(owner, { listed, index, isRange })
      announce(`${picked.list(owner).size} selected`)
    },
    clear: () => picked.clear(),
  }
}
