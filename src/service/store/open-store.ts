import { randomUUID } from 'node:crypto'
import { type Clients, createClientStore } from './client-store'
import { rejectDamagedParts } from './damaged-parts'
import { migrate } from './migrate'
import { migrations } from './migrations'
import { openEngine } from './open-engine'
import { openServer } from './open-server'
import type { Store } from './store'

/**
 * A folder for the embedded engine, or the address of a ClickHouse server. `maxMemoryBytes` is what the engine may use in
 * all; by default 40 % of the memory, 4 GiB at most.
 */
export type StorePlace = { folder: string; maxMemoryBytes?: number } | { url: string }

/**
 * Opens the store and brings its tables up to date. Rejects with a `StoreError` whose message is fit for the person who
 * starts the service: folder in use, damaged parts, a store newer than this version, server not reachable.
 */
export async function openStore(place: StorePlace, id: string = randomUUID()): Promise<Store> {
  const clients: Clients = 'folder' in place ? await openEngine(place.folder, place.maxMemoryBytes) : await openServer(place.url)
  const store = createClientStore(clients, 'url' in place, `spool-${id}`)
  try {
    await rejectDamagedParts(store)
    await migrate(store, migrations)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
