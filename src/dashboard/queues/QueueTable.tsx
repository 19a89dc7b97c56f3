import { Link } from 'wouter'
import type { Queue } from '../../contract/queues'
import { usePreferences } from '../format/preferences'
import { formatZone } from '../format/instant'
import { Time } from '../format/Time'
import { CopyButton } from '../ui/CopyButton'

const cell = 'border-b border-line px-3 first:pl-4 last:pr-4'

export function QueueTable({ queues }: { queues: readonly Queue[] }) {
  const { zone } = usePreferences()
  return (
    <table className="w-full border-t border-line">
      <caption className="sr-only">Annotation queues, newest first</caption>
      <thead className="text-left text-xs text-quiet">
        <tr>
          <th scope="col" className={`${cell} py-1.5 font-normal`}>
            Name
          </th>
          <th scope="col" className={`${cell} py-1.5 text-right font-normal max-sm:hidden`}>
            Scorers
          </th>
          <th scope="col" className={`${cell} py-1.5 font-normal whitespace-nowrap max-sm:hidden`}>
            Created ({formatZone(zone)})
          </th>
          <th scope="col" className={`${cell} py-1.5 font-normal max-lg:hidden`}>
            By
          </th>
          <th scope="col" className={`${cell} w-0 py-1.5 font-normal`}>
            <span className="sr-only">Id</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {queues.map((queue) => (
          <QueueRow key={queue.id} queue={queue} zone={zone} />
        ))}
      </tbody>
    </table>
  )
}

function QueueRow({ queue, zone }: { queue: Queue; zone: 'local' | 'utc' }) {
  const count = queue.scorer_refs.length
  return (
    <tr className="h-(--row-height) hover:bg-hover">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the name in it is its label */}
      <th scope="row" className={`${cell} w-full max-w-0 text-left font-normal max-sm:py-1.5`}>
        <span className="flex min-w-0 gap-x-3 max-sm:flex-col">
          <Link
            href={`/queues/${encodeURIComponent(queue.id)}`}
            className="truncate font-semibold hover:underline sm:max-w-3/5 sm:shrink-0"
          >
            {queue.name}
          </Link>
          <span className="min-w-0 truncate text-quiet">{queue.description}</span>
          <span className="text-quiet tabular-nums sm:hidden">
            {count} {count === 1 ? 'scorer' : 'scorers'} · <Time iso={queue.created_at} zone={zone} />
          </span>
        </span>
      </th>
      <td className={`${cell} text-right tabular-nums max-sm:hidden`}>{count}</td>
      <td className={`${cell} whitespace-nowrap text-quiet tabular-nums max-sm:hidden`}>
        <Time iso={queue.created_at} zone={zone} />
      </td>
      <td className={`${cell} whitespace-nowrap text-quiet max-lg:hidden`}>{queue.created_by ?? '—'}</td>
      <td className={cell}>
        <CopyButton text={queue.id} label={`Copy id of ${queue.name}`} />
      </td>
    </tr>
  )
}
