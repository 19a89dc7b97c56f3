import type { Share } from '../lib/share'
import type { Store } from './store'

/** The same store, with statements that count to `share` where they name none. */
export function withShare(store: Store, share: Share): Store {
  return {
    isShared: store.isShared,
    get failure() {
      return store.failure
    },
    revisionOf: (table) => store.revisionOf(table),
    query: (statement, row, options) => store.query(statement, row, { share, ...options }),
    stream: (statement, row, options) => store.stream(statement, row, { share, ...options }),
    insert: (table, rows, options) => store.insert(table, rows, { share, ...options }),
    insertLines: (table, lines, options) => store.insertLines(table, lines, { share, ...options }),
    command: (statement, options) => store.command(statement, { share, ...options }),
    snapshot: store.snapshot,
    close: () => store.close(),
  }
}
