import { formatCount } from '../../format/count'
import type { FillJob } from './fill-job'

type Counts = Pick<FillJob, 'addedCount' | 'duplicateCount'> & { unknownIds: readonly string[] }

/** `187 added, 12 were in the queue already, 1 is not a call of this project.` */
export function formatOutcome({ addedCount, duplicateCount, unknownIds: { length: unknownCount } }: Counts): string {
  const format = (count: number) => formatCount(String(count))
  const parts = [
    `${format(addedCount)} added`,
    ...(duplicateCount > 0 ? [`${format(duplicateCount)} ${duplicateCount === 1 ? 'was' : 'were'} in the queue already`] : []),
    ...(unknownCount > 0
      ? [`${format(unknownCount)} ${unknownCount === 1 ? 'is not a call' : 'are not calls'} of this project`]
      : []),
  ]
  return `${parts.join(', ')}.`
}

/** `12,000 calls`, `1 call`. */
export function formatCalls(count: number): string {
  return count === 1 ? '1 call' : `${formatCount(String(count))} calls`
}
