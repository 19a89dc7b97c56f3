import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { readQueue, restoreQueue, streamQueues } from '../../../contract/queues'
import { useConnection } from '../../client/connection-context'
import { fetchJson } from '../../client/fetch-json'
import { refetchOperation } from '../../client/refetch-operation'
import { ForeignText } from '../../format/ForeignText'
import { formatVisibleText } from '../../format/visible-text'
import { announce } from '../../ui/announce'
import { Banner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import { moreIcons } from '../../ui/more-icons'
import { deletedQueues } from './deleted-queues'

type Props = {
  /** Only about this queue; otherwise about the one that was deleted last. */
  queueId?: string
  /** Shows it at once where a list would hold it back. */
  onRestored?: () => void
}

/**
 * Says that this tab deleted a queue, and undoes it. It comes back on every page of queues until it is closed. The deletion
 * itself is never delayed: other people see at once what is true, and nothing is lost with the tab.
 */
export function DeletedQueueNotice({ queueId, onRestored }: Props) {
  const connection = useConnection()
  const queryClient = useQueryClient()
  const store = deletedQueues(connection)
  const [deleted, setDeleted] = useState(() => store.list().find(({ id }) => queueId === undefined || id === queueId))
  const restore = useMutation({
    mutationFn: (id: string) => fetchJson(restoreQueue, { project_id: connection.projectId, queue_id: id }, { connection }),
    onSuccess: async ({ queue }) => {
      close()
      onRestored?.()
      announce(`${formatVisibleText(queue.name)} is restored`)
      await Promise.all([refetchOperation(queryClient, streamQueues), refetchOperation(queryClient, readQueue)])
    },
  })
  if (!deleted) return null
  const close = () => {
    store.remove(deleted.id)
    setDeleted(undefined)
  }
  return (
    <Banner
      tone={restore.error ? 'bad' : 'info'}
      className="mx-4 mb-2"
      title={
        <>
          <ForeignText text={deleted.name} /> is deleted.
        </>
      }
      actions={
        <>
          <Button icon={moreIcons.undo} isBusy={restore.isPending} onClick={() => restore.mutate(deleted.id)}>
            Undo
          </Button>
          <Button variant="quiet" onClick={close}>
            Dismiss
          </Button>
        </>
      }
    >
      {restore.error ? `It is not restored. ${restore.error.message}` : 'Its items went with it. The answers stay on the calls.'}
    </Banner>
  )
}
