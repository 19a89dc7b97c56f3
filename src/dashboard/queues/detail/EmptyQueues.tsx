import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { streamQueues } from '../../../contract/queues'
import { useConnection } from '../../client/connection-context'
import { streamQuery } from '../../client/stream-query'
import { ForeignText } from '../../format/ForeignText'

/** Shown where no queue is listed: there is none, or all are archived. */
export function EmptyQueues({ canArchive }: { canArchive: boolean }) {
  const connection = useConnection()
  const { projectId } = connection
  const archived = useQuery({
    ...streamQuery(streamQueues, { project_id: projectId, archived: true, limit: 1 }, connection),
    enabled: canArchive,
  })
  if (archived.data?.rows.length) {
    return (
      <>
        All annotation queues of <ForeignText text={projectId} /> are archived:{' '}
        <Link href="/queues?show=archived" className="text-accent underline">
          show them
        </Link>
      </>
    )
  }
  return (
    <>
      <ForeignText text={projectId} /> has no annotation queue yet. A queue collects calls for people to review with scorers:{' '}
      <Link href="/queues/new" className="text-accent underline">
        create the first queue
      </Link>
    </>
  )
}
