import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useConnection } from '../../client/connection-context'
import { formatVisibleText } from '../../format/visible-text'
import { toQueueHref } from '../detail/queue-hrefs'
import { queueStatsQuery, statsMs } from './review-queries'

/** Who else has an item of this queue now. The link shows who has which. */
export function OtherReviewers({ queueId }: { queueId: string }) {
  const connection = useConnection()
  const { data } = useQuery({ ...queueStatsQuery(queueId, connection), refetchInterval: statsMs, staleTime: 0 })
  const others = data?.stats[0]?.active_annotators?.filter((name) => name !== connection.username) ?? []
  if (others.length === 0) return null
  return (
    <Link href={`${toQueueHref(queueId)}?state=in_progress`} className="underline">
      <span aria-hidden="true" className="text-good">
        ●{' '}
      </span>
      {others.map(formatVisibleText).join(', ')} reviewing too
    </Link>
  )
}
