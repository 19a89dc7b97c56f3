import { randomUUID } from 'node:crypto'
import { type Clients, createClientStore } from './client-store'
import { rejectDamagedParts } from './damaged-parts'
import { migrate, type RebuildDerived } from './migrate'
import { migrations } from './migrations'
import { openEngine } from './open-engine'
import { openServer } from './open-server'
import type { Store } from './store'

/**
 * A folder for the embedded engine, or the URL of a ClickHouse server. `maxMemoryBytes` is how much memory the engine may use
 * in all; by default 40 % of the machine's, 4 GiB at most.
 */
export type StoreLocation = { folder: string; maxMemoryBytes?: number } | { url: string }

/**
 * Opens the store and migrates its tables. Rejects with a `StoreError` whose message is for the person who starts the
 * service: folder in use, damaged parts, store newer than this version, server does not answer.
 */
export async function openStore(location: StoreLocation, rebuildDerived: RebuildDerived): Promise<Store> {
  const clients: Clients =
    'folder' in location ? await openEngine(location.folder, location.maxMemoryBytes) : await openServer(location.url)
  const store = createClientStore(clients, 'url' in location, `spool-${randomUUID()}`)
  try {
    await rejectDamagedParts(store)
    await migrate(store, migrations, rebuildDerived)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
