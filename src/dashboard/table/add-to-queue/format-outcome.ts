import { formatCount, formatQuantity } from '../../format/count'
import type { FillJob } from './fill-job'

type Counts = Pick<FillJob, 'addedCount' | 'duplicateCount'> & { unknownIds: readonly string[] }

/** `187 added, 12 were in the queue already, 1 is not a call of this project.` */
export function formatOutcome({ addedCount, duplicateCount, unknownIds: { length: unknownCount } }: Counts): string {
  const parts = [
    `${formatCount(String(addedCount))} added`,
    ...(duplicateCount > 0 ? [`${formatQuantity(duplicateCount, 'was', 'were')} in the queue already`] : []),
    ...(unknownCount > 0 ? [`${formatQuantity(unknownCount, 'is not a call', 'are not calls')} of this project`] : []),
  ]
  return `${parts.join(', ')}.`
}
