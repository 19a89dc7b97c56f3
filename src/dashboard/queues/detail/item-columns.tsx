import { Fragment } from 'react'
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

/** Of a service that does not say what each person did, the last one, and what became of the item. Who has it now began it. */
function listPeople({ reviews, lease, annotation_state, annotator_user_id: last }: QueueItem, wanted: AnnotationState): string[] {
  const people = reviews.length > 0 || !last ? reviews : [{ annotator: last, state: annotation_state }]
  return people.flatMap(({ annotator, state }) => (state === wanted && annotator !== lease?.annotator ? [annotator] : []))
}

/** What each person did and when, in a line each. */
function describeReviews({ reviews }: QueueItem, zone: TimeZone): string {
  return reviews
    .map(
      ({ annotator, state, updated_at }) =>
        `${formatVisibleText(annotator)}: ${stateLabels[state].toLowerCase()} ${formatTime(updated_at, zone)}`,
    )
    .join('\n')
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
    width: 160,
    cell: (item, { reviewsPerItem, zone }) => (
      <span title={describeReviews(item, zone) || 'Nobody has judged it yet'} className="inline-flex items-center gap-2">
        <span>
          {listPeople(item, 'completed').length} <span className="text-quiet">of {item.required_reviews}</span>
        </span>
        {hasDisagreement(item, reviewsPerItem) && <Chip tone="warn">disagreed</Chip>}
      </span>
    ),
    exportValue: (item) => listPeople(item, 'completed').length,
  },
  {
    id: 'annotator',
    label: 'Who',
    description: 'Who has the item now, who reviewed it, and who skipped it.',
    width: 200,
    cell: (item, { zone }) => {
      const { lease } = item
      const groups = [
        { names: lease ? [lease.annotator] : [], words: ' ● now', className: 'text-good' },
        { names: listPeople(item, 'completed'), words: '', className: '' },
        { names: listPeople(item, 'skipped'), words: ' skipped', className: 'text-quiet' },
        { names: listPeople(item, 'in_progress'), words: ' started', className: 'text-quiet' },
      ].filter(({ names }) => names.length > 0)
      const holding = lease && `Has it until ${formatTime(lease.expires_at, zone)} ${formatZone(zone, lease.expires_at)}\n`
      return groups.length === 0 ? (
        unknown
      ) : (
        <span title={`${holding ?? ''}${describeReviews(item, zone)}`}>
          {groups.map(({ names, words, className }, index) => (
            <Fragment key={words}>
              {index > 0 && ' · '}
              <ForeignText text={names.join(', ')} />
              <span className={className}>{words}</span>
            </Fragment>
          ))}
        </span>
      )
    },
    exportValue: (item) => item.lease?.annotator ?? listPeople(item, 'completed').join(' '),
  },
  {
    id: 'skipped_by',
    label: 'Skipped by',
    width: 130,
    isHiddenByDefault: true,
    cell: (item) => <ForeignText text={listPeople(item, 'skipped').join(', ')} />,
    exportValue: (item) => listPeople(item, 'skipped').join(' '),
    isAlwaysExported: true,
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
    // At 1280 px those who reviewed need the room, and the row leads to the call.
    isHiddenByDefault: true,
    cell: ({ call_id }) => <CopyButton text={call_id} label={`Copy call id ${formatVisibleText(call_id)}`} />,
    exportValue: ({ call_id }) => call_id,
    isAlwaysExported: true,
  },
]
