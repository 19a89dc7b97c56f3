import type { FolderGuard } from './folder-guard'
import type { Store } from './store'
import { toStoreError } from './store-error'

/**
 * A store that fails with `unavailable` where its folder is gone or cannot be written. Nothing that went into a folder which
 * is gone by now is acknowledged.
 */
export function guardStore(store: Store, guard: FolderGuard): Store {
  const write = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    guard.requireFolder()
    try {
      const result = await run()
      guard.requireFolder()
      guard.confirmWrite()
      return result
    } catch (error) {
      throw guard.explain(toStoreError(error))
    }
  }
  const stream: Store['stream'] = async function* (statement, row, options) {
    guard.requireFolder()
    try {
      yield* store.stream(statement, row, options)
    } catch (error) {
      throw guard.explain(toStoreError(error))
    }
  }
  const { snapshot } = store
  return {
    isShared: store.isShared,
    get failure() {
      return guard.failure
    },
    revisionOf: (table) => store.revisionOf(table),
    query: async (statement, row, options) => {
      guard.requireFolder()
      try {
        return await store.query(statement, row, options)
      } catch (error) {
        throw guard.explain(toStoreError(error))
      }
    },
    stream,
    insert: (table, rows, options) => write(() => store.insert(table, rows, options)),
    insertLines: (table, lines, options) => write(() => store.insertLines(table, lines, options)),
    command: (statement, options) => write(() => store.command(statement, options)),
    snapshot: snapshot && ((meanwhile) => write(() => snapshot(meanwhile))),
    close: async () => {
      guard.close()
      await store.close()
    },
  }
}
