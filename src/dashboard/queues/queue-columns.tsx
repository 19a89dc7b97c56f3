import type { Queue } from '../../contract/queues'
import { ForeignText } from '../format/ForeignText'
import { formatZone, type TimeZone } from '../format/instant'
import { Time } from '../format/Time'
import { formatVisibleText } from '../format/visible-text'
import type { Column } from '../table/column'
import { CopyButton } from '../ui/CopyButton'

export type QueueDisplay = { zone: TimeZone }

const timeUnit = ({ zone }: QueueDisplay) => (zone === 'utc' ? 'UTC' : formatZone('local'))

export const queueColumns: readonly Column<Queue, QueueDisplay>[] = [
  {
    id: 'name',
    label: 'Name',
    width: 240,
    cell: ({ name }) => (
      <span className="font-semibold">
        <ForeignText text={name} />
      </span>
    ),
    exportValue: ({ name }) => name,
  },
  {
    id: 'description',
    label: 'Description',
    width: 260,
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
    cell: ({ scorer_refs }) => scorer_refs.length,
    exportValue: ({ scorer_refs }) => scorer_refs.join(' '),
  },
  {
    id: 'created_at',
    label: 'Created',
    unit: timeUnit,
    width: 168,
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
    cell: ({ created_by }) => <span className="text-quiet">{created_by === null ? '—' : <ForeignText text={created_by} />}</span>,
    exportValue: ({ created_by }) => created_by,
  },
  {
    id: 'id',
    label: 'Id',
    width: 72,
    cell: ({ id, name }) => <CopyButton text={id} label={`Copy id of ${formatVisibleText(name)}`} />,
    exportValue: ({ id }) => id,
  },
]
