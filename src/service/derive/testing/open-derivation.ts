import type { Thread } from '../../../contract/threads'
import { CallWriter } from '../../ingest/call-writer'
import { openTemporaryStore } from '../../store/testing/temporary-store'
import { silentLogger } from '../../testing/silent-logger'
import { listThreads } from '../../threads/list-threads'
import { recoverDerived } from '../recover-derived'
import { TurnDeriver } from '../turn-deriver'

type Window = { after_datetime?: string; before_datetime?: string }

/** A temporary store with what writes calls and derives from them. Two writers, since two requests may write at once. */
export async function openDerivation() {
  const place = await openTemporaryStore()
  const open = () => {
    const deriver = new TurnDeriver({ store: place.store, logger: silentLogger })
    return { deriver, writers: [new CallWriter(place.store, deriver), new CallWriter(place.store, deriver)] as const }
  }
  let current = open()
  const closeWriters = async () => {
    for (const writer of current.writers) await writer.close()
  }
  return {
    get store() {
      return place.store
    },
    get deriver() {
      return current.deriver
    },
    get writers() {
      return current.writers
    },
    /** The threads of a project by id, with everything derived that was written before. */
    readThreads: async (projectId: string, filter?: Window): Promise<Thread[]> => {
      await current.deriver.flush(projectId)
      const threads = []
      const sort_by = [{ field: 'thread_id', direction: 'asc' } as const]
      for await (const batch of listThreads(place.store, { project_id: projectId, sort_by, filter })) threads.push(...batch)
      return threads
    },
    restart: async () => {
      await closeWriters()
      await place.reopen()
      current = open()
      await recoverDerived(place.store, current.deriver)
    },
    close: async () => {
      await closeWriters()
      await place.remove()
    },
  }
}

export type Derivation = Awaited<ReturnType<typeof openDerivation>>
