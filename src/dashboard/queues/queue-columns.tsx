import { Link } from 'wouter'
import type { QueueStats } from '../../contract/queue-items'
import type { Queue } from '../../contract/queues'
import { formatCount } from '../format/count'
import { ForeignText } from '../format/ForeignText'
import { formatZone, type TimeZone } from '../format/instant'
import { Time } from '../format/Time'
import { formatVisibleText } from '../format/visible-text'
import type { Column } from '../table/column'
import { buttonClass } from '../ui/button-class'
import { CopyButton } from '../ui/CopyButton'
import { toPace } from './detail/queue-pace'
import { QueuePaceText } from './detail/QueuePaceText'
import { QueuePeople } from './detail/QueuePeople'
import { QueueProgress } from './detail/QueueProgress'
import { toReviewHref, toScorersHref } from './detail/queue-hrefs'

export type QueueDisplay = {
  zone: TimeZone
  /** When the figures arrived, milliseconds. */
  now: number
  /** How far the queues on screen are, by id; undefined while that is read. */
  stats: ReadonlyMap<string, QueueStats> | undefined
}

const timeUnit = ({ zone }: QueueDisplay) => (zone === 'utc' ? 'UTC' : formatZone('local'))

const unknown = <span className="text-faint">—</span>
/** As high as the button that may follow: in a narrow window an empty cell has no place, and a row is as high as its cells. */
const pending = <span aria-hidden="true" className="inline-block h-7 align-middle" />
/** In a narrow window, a bar has a line of its own. */
const pendingProgress = (
  <span aria-hidden="true" className="inline-flex h-5 items-center">
    <span className="queue-track" />
  </span>
)

export const queueColumns: readonly Column<Queue, QueueDisplay>[] = [
  {
    id: 'name',
    label: 'Name',
    width: 240,
    cell: ({ name }) => (
      <span className="own-line font-semibold">
        <ForeignText text={name} />
      </span>
    ),
    exportValue: ({ name }) => name,
  },
  {
    id: 'progress',
    label: 'Progress',
    description: 'Items that are completed or skipped, of all. Where items take several reviews: the reviews done.',
    width: 214,
    isOnPageOnly: true,
    cell: ({ id, reviews_per_item: reviewsPerItem }, { stats }) => {
      const own = stats?.get(id)
      if (own) return <QueueProgress stats={own} reviewsPerItem={reviewsPerItem} />
      return stats ? unknown : pendingProgress
    },
    exportValue: ({ id }, { stats }) => stats?.get(id)?.completed_items ?? null,
    exportUnit: 'completed or skipped',
  },
  {
    id: 'total_items',
    label: 'Items',
    width: 84,
    align: 'end',
    isOnPageOnly: true,
    isHiddenByDefault: true,
    cell: ({ id }, { stats }) => {
      const total = stats?.get(id)?.total_items
      return total === undefined ? (stats ? unknown : pending) : formatCount(String(total))
    },
    exportValue: ({ id }, { stats }) => stats?.get(id)?.total_items ?? null,
  },
  {
    id: 'review',
    label: 'Review',
    unit: () => 'open to you',
    description: 'Items that you can still judge.',
    width: 128,
    isOnPageOnly: true,
    cell: ({ id, name, scorer_refs }, { stats }) => {
      const open = stats?.get(id)?.open_count
      if (open === undefined) return stats ? unknown : pending
      if (open === 0) return <span className="text-faint">none</span>
      if (scorer_refs.length === 0) {
        return (
          <Link href={toScorersHref(id)} aria-label={`Add scorers to ${formatVisibleText(name)}`} className={buttonClass()}>
            Add scorers
          </Link>
        )
      }
      return (
        <Link href={toReviewHref(id)} aria-label={`Review ${formatVisibleText(name)}, ${open} open`} className={buttonClass()}>
          Review <span className="text-quiet">{formatCount(String(open))}</span>
        </Link>
      )
    },
    exportValue: ({ id }, { stats }) => stats?.get(id)?.open_count ?? null,
    exportUnit: 'open',
  },
  {
    id: 'pace',
    label: 'Pace',
    description:
      'Items completed or skipped a day, over the last seven days or since the first one, and when the rest is done if it goes on so.',
    width: 222,
    isOnPageOnly: true,
    cell: ({ id }, { stats, now, zone }) => {
      const own = stats?.get(id)
      return own?.closed_by_day ? <QueuePaceText stats={own} now={now} zone={zone} /> : stats ? unknown : pending
    },
    exportValue: ({ id }, { stats, now }) => {
      const own = stats?.get(id)
      return (own && toPace(own, now)?.perDay) ?? null
    },
    exportUnit: 'a day',
  },
  {
    id: 'people',
    label: 'People',
    description: 'Who may review. A dot: has an item now.',
    width: 112,
    cell: ({ id, assignees }, { stats }) => (
      <QueuePeople assignees={assignees} active={stats?.get(id)?.active_annotators ?? []} />
    ),
    exportValue: ({ assignees }) => assignees.join(' '),
  },
  {
    id: 'description',
    label: 'Description',
    width: 260,
    isHiddenByDefault: true,
    cell: ({ description }) => (
      <span className="text-quiet max-sm:line-clamp-3">
        <ForeignText text={description.replaceAll(/\s+/g, ' ').trim()} />
      </span>
    ),
    exportValue: ({ description }) => description,
  },
  {
    id: 'scorer_refs',
    label: 'Scorers',
    width: 84,
    align: 'end',
    // At 1280 px the creation, which sorts the list, needs the room.
    isHiddenByDefault: true,
    cell: ({ scorer_refs }) => scorer_refs.length,
    exportValue: ({ scorer_refs }) => scorer_refs.join(' '),
  },
  {
    id: 'created_at',
    label: 'Created',
    unit: timeUnit,
    width: 164,
    cell: ({ created_at }, { zone }) => <Time iso={created_at} zone={zone} />,
    exportValue: ({ created_at }) => created_at,
    exportUnit: 'UTC',
  },
  {
    id: 'updated_at',
    label: 'Updated',
    unit: timeUnit,
    width: 168,
    isHiddenByDefault: true,
    cell: ({ updated_at }, { zone }) => <Time iso={updated_at} zone={zone} />,
    exportValue: ({ updated_at }) => updated_at,
    exportUnit: 'UTC',
  },
  {
    id: 'created_by',
    label: 'By',
    width: 112,
    isHiddenByDefault: true,
    cell: ({ created_by }) => <span className="text-quiet">{created_by === null ? '—' : <ForeignText text={created_by} />}</span>,
    exportValue: ({ created_by }) => created_by,
  },
  {
    id: 'id',
    label: 'Id',
    width: 72,
    isHiddenByDefault: true,
    cell: ({ id, name }) => <CopyButton text={id} label={`Copy id of ${formatVisibleText(name)}`} />,
    exportValue: ({ id }) => id,
  },
]
