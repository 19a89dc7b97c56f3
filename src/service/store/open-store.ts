import { randomUUID } from 'node:crypto'
import { type Clients, createClientStore } from './client-store'
import { rejectDamagedParts } from './damaged-parts'
import { FolderGuard, type StoreLogger } from './folder-guard'
import { guardStore } from './guarded-store'
import { migrate, type RebuildDerived } from './migrate'
import { migrations } from './migrations'
import { type EngineOptions, markAsCreated, openEngine } from './open-engine'
import { openServer } from './open-server'
import type { Store } from './store'

/** A folder for the embedded engine, or the URL of a ClickHouse server. */
export type StoreLocation = ({ folder: string } & EngineOptions) | { url: string }

export type OpenOptions = { signal?: AbortSignal | undefined; logger?: StoreLogger | undefined }

/**
 * Opens the store and migrates its tables. Rejects with a `StoreError` whose message is for the person who starts the
 * service: folder in use, damaged parts, store newer than this version, server does not answer. Aborting `signal` ends it,
 * also during a migration, which the next start runs again.
 */
export async function openStore(
  location: StoreLocation,
  rebuildDerived: RebuildDerived,
  { signal, logger }: OpenOptions = {},
): Promise<Store> {
  const clients: Clients = 'folder' in location ? await openEngine(location.folder, location) : await openServer(location.url)
  const clientStore = createClientStore(clients, 'url' in location, `spool-${randomUUID()}`)
  const store = 'folder' in location ? guardStore(clientStore, new FolderGuard(location.folder, logger)) : clientStore
  const close = () => void store.close()
  signal?.addEventListener('abort', close, { once: true })
  try {
    signal?.throwIfAborted()
    await rejectDamagedParts(store)
    await migrate(store, migrations, rebuildDerived, logger)
    if ('folder' in location) markAsCreated(location.folder)
    return store
  } catch (error) {
    await store.close()
    throw error
  } finally {
    signal?.removeEventListener('abort', close)
  }
}
