import type { Store } from '../store/store'
import type { Batch } from './batch'
import type { Derivation } from './derivation'
import { deriveThreads, deriveWholeThread } from './derive-threads'
import { deriveTurns } from './derive-turns'

/** What a batch derives: the turns of its calls, or its threads. A thread that was set aside is read as a whole. */
export function deriveBatch(store: Store, { kind, items, suspect }: Batch): Derivation {
  const isHeld = suspect?.attempts === Infinity
  if (kind === 'call') {
    const calls = items.map(({ project, id }) => ({ project_id: project.id, id }))
    return deriveTurns(store, calls)
  }
  const [first] = items
  if (first && isHeld) return deriveWholeThread(store, { project_id: first.project.id, thread_id: first.id })
  const turns = items.flatMap(({ project, id: threadId, turnIds }) =>
    [...turnIds].map((id) => ({ project_id: project.id, thread_id: threadId, id })),
  )
  return deriveThreads(store, turns)
}
