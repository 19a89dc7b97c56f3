import type { Store } from '../../store/store'
import { StoreError } from '../../store/store-error'

/** An error of each kind that a statement of the store may end with. */
export const storeErrors = {
  'full disk': new StoreError('unavailable', 'no space left', { code: 243 }),
  'lost connection': new StoreError('unavailable', 'no connection (ECONNRESET)'),
  'too many waiting': new StoreError('overloaded', 'Too many statements of this user are waiting.'),
  'waited too long': new StoreError('busy', 'The statement did not begin within the time limit.'),
  'ran too long': new StoreError('timed_out', 'TIMEOUT_EXCEEDED (159)', { code: 159 }),
  'memory of the engine': new StoreError('unavailable', 'MEMORY_LIMIT_EXCEEDED (241)', { code: 241 }),
  'large result': new StoreError('failed', 'TOO_MANY_ROWS_OR_BYTES (396)', { code: 396 }),
  'bad row': new StoreError('bad_row', 'INCORRECT_DATA (117)', { code: 117 }),
  killed: new StoreError('aborted', 'QUERY_WAS_CANCELLED (394)', { code: 394 }),
  defect: new StoreError('failed', 'LOGICAL_ERROR (49)', { code: 49 }),
} satisfies Record<string, StoreError>

/** How a statement fails; `isDone`: it took effect, and only its reply is lost. */
export type Failure = { error: keyof typeof storeErrors; isDone: boolean }

/** A store whose statements fail as `nextFailure` says, whatever they do. */
export function failingStore(store: Store, nextFailure: () => Failure | undefined): Store {
  const attempt = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    const failure = nextFailure()
    if (!failure) return await run()
    if (failure.isDone) await run()
    throw storeErrors[failure.error]
  }
  return {
    ...store,
    query: async (...query) => attempt(async () => store.query(...query)),
    insert: async (...insert) => attempt(async () => store.insert(...insert)),
    command: async (...command) => attempt(async () => store.command(...command)),
  }
}
