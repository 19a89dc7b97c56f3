import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rebuildDerived } from '../../derive/rebuild-derived'
import type { EngineOptions } from '../open-engine'
import { openStore } from '../open-store'
import type { Store } from '../store'

/** A real store in a new folder. `reopen` closes it and opens it again; `remove` closes it and deletes the folder. */
export async function openTemporaryStore(options: EngineOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'spool-test-'))
  let store: Store = await openStore({ folder, ...options }, rebuildDerived)
  return {
    folder,
    get store() {
      return store
    },
    reopen: async () => {
      await store.close()
      store = await openStore({ folder, ...options }, rebuildDerived)
      return store
    },
    remove: async () => {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
