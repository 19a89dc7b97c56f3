import { formatCount } from '../../format/count'
import type { ExportCounts } from './thread-content'

/** What an export does not hold, with its count; '' where it holds everything. */
export function describeMissing({ unlistedTurns, unreadCalls, unreadValues }: ExportCounts): string {
  const sentences = [
    [unlistedTurns, 'turn without all of its calls', 'turns without all of their calls'],
    [unreadCalls, 'call without its content', 'calls without their content'],
    [unreadValues, 'input or output that is missing', 'inputs or outputs that are missing'],
  ] as const
  const parts = sentences.flatMap(([count, one, many]) =>
    count === 0 ? [] : `${formatCount(String(count))} ${count === 1 ? one : many}`,
  )
  return parts.length === 0 ? '' : `Could not be read: ${parts.join(', ')}.`
}
