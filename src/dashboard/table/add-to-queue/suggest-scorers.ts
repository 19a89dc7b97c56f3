import type { Queue } from '../../../contract/queues'

export type SuggestedScorer = { ref: string; queueCount: number }

const maxSuggestions = 8

/** The scorers that the latest queues use, the most used first; of those used as often the one of the latest queue. */
export function suggestScorers(queues: readonly Pick<Queue, 'scorer_refs'>[]): SuggestedScorer[] {
  const counts = new Map<string, number>()
  for (const { scorer_refs: refs } of queues) for (const ref of new Set(refs)) counts.set(ref, (counts.get(ref) ?? 0) + 1)
  return [...counts]
    .map(([ref, queueCount]) => ({ ref, queueCount }))
    .toSorted((left, right) => right.queueCount - left.queueCount)
    .slice(0, maxSuggestions)
}
