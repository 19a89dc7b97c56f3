import * as z from 'zod/mini'
import type { ThreadFilter } from '../../../contract/thread-search-requests'
import { strata, type TurnChoice, turnChoices } from '../../../contract/thread-sample-requests'
import { formatCount } from '../../format/count'
import { formatDuration } from '../../format/duration'

export type ThreadFilterInput = z.output<typeof ThreadFilter>

/** What a person wants judged. */
export type Evidence =
  | { kind: 'calls'; ids: readonly string[] }
  /** All threads that the filter finds, or those that are selected. Only turns within its bounds of time are meant. */
  | { kind: 'threads'; filter: ThreadFilterInput; selectedIds: readonly string[] }

/** Which turns of the threads are taken. */
export const TurnSelection = z.object({
  scope: z.enum(['selected', 'matching']),
  turns: z.enum(turnChoices),
  isSample: z.boolean(),
  size: z.number(),
  seed: z.string(),
  stratifyBy: z.enum([...strata, 'none']),
})
export type TurnSelection = z.infer<typeof TurnSelection>

export const turnLabels: Readonly<Record<TurnChoice, string>> = {
  all: 'All turns',
  last: 'The last turn of each thread',
  slowest: 'The slowest turn of each thread',
  failed: 'Turns with an error',
}

export const strataLabels: Readonly<Record<TurnSelection['stratifyBy'], string>> = {
  none: 'Random',
  model: 'The same number of each model',
  slowest: 'Half from the slowest tenth',
  errors: 'Half with errors',
}

/** The filter of the threads that are meant. */
export function toFilter({ filter, selectedIds }: Extract<Evidence, { kind: 'threads' }>, { scope }: TurnSelection) {
  if (scope === 'matching') return filter
  const { after_datetime, before_datetime } = filter
  return {
    ...(after_datetime !== undefined && { after_datetime }),
    ...(before_datetime !== undefined && { before_datetime }),
    thread_ids: [...selectedIds],
  }
}

/**
 * A name for a queue of these calls, such as `Threads slower than 10.0 s, 30 sampled, seed 42`, and a description that says
 * how they were chosen.
 */
export function suggestQueue(evidence: Evidence, selection: TurnSelection): { name: string; description: string } {
  if (evidence.kind === 'calls') return { name: `${formatCount(String(evidence.ids.length))} chosen calls`, description: '' }
  const { isSample, size, seed, turns, stratifyBy } = selection
  const threads =
    selection.scope === 'selected'
      ? `${formatCount(String(evidence.selectedIds.length))} chosen threads`
      : `Threads${describeFilter(evidence.filter)}`
  const sampled = isSample ? `, ${formatCount(String(size))} sampled, seed ${seed}` : ''
  const name = `${threads}${sampled}`
  const details = [
    ...(turns === 'all' ? [] : [turnLabels[turns]]),
    ...(isSample && stratifyBy !== 'none' ? [strataLabels[stratifyBy]] : []),
  ]
  return { name: name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name, description: details.join('. ') }
}

/** Longer ones do not fit into a list of queues. */
const maxNameLength = 200

function describeFilter(filter: ThreadFilterInput): string {
  const list = (values: readonly string[] | null | undefined, label: string) =>
    values?.length ? [`${label} ${values.join(', ')}`] : []
  const parts = [
    ...(filter.min_p99_ms ? [`slower than ${formatDuration(filter.min_p99_ms)}`] : []),
    ...(filter.min_p50_ms ? [`p50 from ${formatDuration(filter.min_p50_ms)}`] : []),
    ...(filter.has_errors ? ['with errors'] : []),
    ...(filter.text ? [`with “${filter.text}”`] : []),
    ...list(filter.models, 'of'),
    ...list(filter.op_names, 'with'),
    ...list(filter.users, 'of'),
    ...(filter.min_turns ? [`from ${filter.min_turns} turns`] : []),
    ...(filter.min_cost ? [`from ${filter.min_cost} USD`] : []),
    ...(filter.thread_id_prefix ? [`named ${filter.thread_id_prefix}…`] : []),
    ...(filter.thread_ids?.length ? ['with given ids'] : []),
    ...(filter.after_datetime ? [`after ${toMinute(filter.after_datetime)}`] : []),
    ...(filter.before_datetime ? [`before ${toMinute(filter.before_datetime)}`] : []),
  ]
  return parts.length === 0 ? '' : ` ${parts.join(', ')}`
}

/** In UTC, whatever zone the person reads times in: others read the name too. */
function toMinute(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' ')} UTC`
}
