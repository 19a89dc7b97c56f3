import type { AnnotationState, QueueItem } from '../../../contract/queue-items'
import { ForeignText } from '../../format/ForeignText'
import { formatExactTime, formatTime, formatZone, type TimeZone } from '../../format/instant'
import { formatOpName } from '../../format/op-name'
import { formatElapsed } from '../../format/relative-time'
import { Time } from '../../format/Time'
import { formatVisibleText } from '../../format/visible-text'
import type { Column } from '../../table/column'
import { Chip } from '../../ui/Chip'
import { CopyButton } from '../../ui/CopyButton'
import type { Tone } from '../../ui/tone'
import type { CallPlaces } from '../../client/call-places'

export type ItemDisplay = {
  zone: TimeZone
  /** When the rows arrived, milliseconds. */
  now: number
  /** Where the calls are in their threads, as far as they were looked up. */
  places: CallPlaces
  /** All of them were looked up, or that failed. */
  arePlacesRead: boolean
  /** How many people judge an item of this queue who do not disagree. */
  reviewsPerItem: number
}

export const stateLabels: Record<AnnotationState, string> = {
  unstarted: 'Not started',
  in_progress: 'In progress',
  completed: 'Completed',
  skipped: 'Skipped',
}

const stateTones: Record<AnnotationState, Tone> = {
  unstarted: 'neutral',
  in_progress: 'info',
  completed: 'good',
  skipped: 'neutral',
}

const unknown = <span className="text-faint">—</span>
const timeUnit = ({ zone }: ItemDisplay) => (zone === 'utc' ? 'UTC' : formatZone('local'))

export function hasDisagreement({ required_reviews: required }: QueueItem, reviewsPerItem: number): boolean {
  return required > reviewsPerItem
}

export const itemColumns: readonly Column<QueueItem, ItemDisplay>[] = [
  {
    id: 'call_op_name',
    label: 'Call',
    description: 'The op. The row leads to the call in its thread.',
    width: 180,
    cell: ({ call_op_name }) => <ForeignText text={formatOpName(call_op_name)} isOneLine />,
    exportValue: ({ call_op_name }) => call_op_name,
  },
  {
    id: 'thread',
    label: 'Thread',
    width: 130,
    isOnPageOnly: true,
    cell: ({ call_id }, { places, arePlacesRead }) => {
      const thread = places.get(call_id)?.thread_id
      return thread ? <ForeignText text={thread} isOneLine /> : arePlacesRead && unknown
    },
    exportValue: ({ call_id }, { places }) => places.get(call_id)?.thread_id ?? null,
  },
  {
    id: 'annotation_state',
    label: 'State',
    width: 116,
    cell: ({ annotation_state: state }) => <Chip tone={stateTones[state]}>{stateLabels[state]}</Chip>,
    exportValue: ({ annotation_state }) => annotation_state,
  },
  {
    id: 'reviews',
    label: 'Reviews',
    description: 'People who judged the item, of those it needs. It needs one more where they disagreed.',
    width: 172,
    cell: ({ reviews, ...item }, { reviewsPerItem, zone }) => {
      const title = reviews
        .map(
          ({ annotator, state, updated_at }) =>
            `${formatVisibleText(annotator)}: ${stateLabels[state].toLowerCase()} ${formatTime(updated_at, zone)}`,
        )
        .join('\n')
      return (
        <span title={title || 'Nobody has judged it yet'} className="inline-flex items-center gap-2">
          <span>
            {reviews.filter(({ state }) => state === 'completed').length}{' '}
            <span className="text-quiet">of {item.required_reviews}</span>
          </span>
          {hasDisagreement({ ...item, reviews }, reviewsPerItem) && <Chip tone="warn">disagreed</Chip>}
        </span>
      )
    },
    exportValue: ({ reviews }) => reviews.filter(({ state }) => state === 'completed').length,
  },
  {
    id: 'annotator',
    label: 'Who',
    description: 'Who has the item now, or else who reviewed it.',
    width: 130,
    cell: ({ lease, reviews, annotator_user_id }, { zone }) => {
      if (lease) {
        return (
          <span title={`Has it until ${formatTime(lease.expires_at, zone)} ${formatZone(zone, lease.expires_at)}`}>
            <ForeignText text={lease.annotator} />
            <span className="text-good"> ● now</span>
          </span>
        )
      }
      const names = reviews.length > 0 ? reviews.map(({ annotator }) => annotator) : annotator_user_id ? [annotator_user_id] : []
      return names.length === 0 ? unknown : <ForeignText text={names.join(', ')} />
    },
    exportValue: ({ lease, reviews }) => lease?.annotator ?? reviews.map(({ annotator }) => annotator).join(' '),
  },
  {
    id: 'call_started_at',
    label: 'Start of the call',
    unit: timeUnit,
    width: 160,
    cell: ({ call_started_at }, { zone }) => <Time iso={call_started_at} zone={zone} />,
    exportValue: ({ call_started_at }) => call_started_at,
    exportUnit: 'UTC',
  },
  {
    id: 'updated_at',
    label: 'Last change',
    width: 104,
    cell: ({ updated_at }, { now }) => (
      <time dateTime={updated_at} title={formatExactTime(updated_at)}>
        {formatElapsed(updated_at, now)}
      </time>
    ),
    exportValue: ({ updated_at }) => updated_at,
    exportUnit: 'UTC',
  },
  {
    id: 'created_at',
    label: 'Added',
    unit: timeUnit,
    width: 168,
    isHiddenByDefault: true,
    cell: ({ created_at }, { zone }) => <Time iso={created_at} zone={zone} />,
    exportValue: ({ created_at }) => created_at,
    exportUnit: 'UTC',
  },
  {
    id: 'added_by',
    label: 'Added by',
    width: 112,
    isHiddenByDefault: true,
    cell: ({ added_by }) => (added_by ? <ForeignText text={added_by} /> : unknown),
    exportValue: ({ added_by }) => added_by ?? null,
  },
  {
    id: 'call_id',
    label: 'Call id',
    width: 64,
    cell: ({ call_id }) => <CopyButton text={call_id} label={`Copy call id ${formatVisibleText(call_id)}`} />,
    exportValue: ({ call_id }) => call_id,
    isAlwaysExported: true,
  },
]
