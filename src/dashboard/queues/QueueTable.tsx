import { Link } from 'wouter'
import type { Queue } from '../../contract/queues'
import { usePreferences } from '../client/preferences'
import { Time } from '../format/Time'
import { CopyButton } from '../ui/CopyButton'

const cell = 'border-b border-line px-3 first:pl-4 last:pr-4'

export function QueueTable({ queues }: { queues: readonly Queue[] }) {
  const { zone } = usePreferences()
  return (
    <table className="w-full border-t border-line max-sm:block">
      <caption className="sr-only">Annotation queues, newest first</caption>
      <thead className="text-left text-xs text-quiet max-sm:sr-only">
        <tr>
          <th scope="col" className={`${cell} py-1.5 font-normal`}>
            Name
          </th>
          <th scope="col" className={`${cell} py-1.5 text-right font-normal`}>
            Scorers
          </th>
          <th scope="col" className={`${cell} py-1.5 font-normal`}>
            Created{zone === 'utc' ? ' (UTC)' : ''}
          </th>
          <th scope="col" className={`${cell} py-1.5 font-normal max-lg:hidden`}>
            By
          </th>
          <th scope="col" className={`${cell} w-0 py-1.5 font-normal`}>
            <span className="sr-only">Id</span>
          </th>
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {queues.map((queue) => (
          <QueueRow key={queue.id} queue={queue} zone={zone} />
        ))}
      </tbody>
    </table>
  )
}

function QueueRow({ queue, zone }: { queue: Queue; zone: 'local' | 'utc' }) {
  return (
    <tr className="h-(--row-height) hover:bg-hover max-sm:grid max-sm:h-auto max-sm:grid-cols-[1fr_auto] max-sm:border-b max-sm:border-line max-sm:py-1.5 max-sm:[&>*]:border-0">
      <th scope="row" className={`${cell} max-w-0 text-left font-normal max-sm:max-w-none sm:w-full`}>
        <span className="flex min-w-0 gap-3 max-sm:flex-col max-sm:gap-0">
          <Link
            href={`/queues/${encodeURIComponent(queue.id)}`}
            className="truncate font-semibold hover:underline sm:shrink-0 sm:max-w-[60%]"
          >
            {queue.name}
          </Link>
          <span className="min-w-0 truncate text-quiet">{queue.description}</span>
        </span>
      </th>
      <td className={`${cell} text-right tabular-nums max-sm:row-start-2 max-sm:text-left`}>
        {queue.scorer_refs.length}
        <span className="text-quiet sm:hidden"> scorers</span>
      </td>
      <td className={`${cell} whitespace-nowrap text-quiet tabular-nums max-sm:row-start-2`}>
        <Time iso={queue.created_at} zone={zone} />
      </td>
      <td className={`${cell} whitespace-nowrap text-quiet max-lg:hidden`}>{queue.created_by ?? '—'}</td>
      <td className={`${cell} max-sm:row-start-1`} aria-label="Id">
        <CopyButton text={queue.id} label={`Copy id of ${queue.name}`} />
      </td>
    </tr>
  )
}
