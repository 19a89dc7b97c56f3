import { type ReactNode, Suspense, useId, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { QueueStats } from '../../../contract/queue-items'
import type { Queue } from '../../../contract/queues'
import { useConnection } from '../../client/connection-context'
import { lazyPart } from '../../client/lazy-part'
import { formatCount } from '../../format/count'
import { ForeignText } from '../../format/ForeignText'
import { formatVisibleText } from '../../format/visible-text'
import { announce } from '../../ui/announce'
import { Banner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import { buttonClass } from '../../ui/button-class'
import { Dialog } from '../../ui/Dialog'
import { IconButton } from '../../ui/IconButton'
import { moreIcons } from '../../ui/more-icons'
import { deletedQueues } from './deleted-queues'
import { toReviewHref, toScorersHref } from './queue-hrefs'
import { useCanChangeQueues } from './use-can-change-queues'
import { useChangeQueue } from './use-change-queue'

const EditQueue = lazyPart(async () => (await import('./EditQueue')).EditQueue)

type Props = {
  queue: Queue
  stats: QueueStats | undefined
  /** Whether the service gives out items to review and restores deleted queues; undefined while that is not known. */
  hasReviews: boolean | undefined
  /** Further actions, after the review. */
  children: ReactNode
}

/** What can be done with a queue: review, edit, archive, delete. */
export function QueueActions({ queue, stats, hasReviews, children }: Props) {
  const connection = useConnection()
  const [, navigate] = useLocation()
  const foldId = useId()
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  const canChange = useCanChangeQueues()
  const { change, remove } = useChangeQueue(queue)
  const open = stats?.open_count
  const { archived: isArchived } = queue
  const sendRemoval = async () => {
    try {
      await remove.mutateAsync()
    } catch {
      // Shown below.
      return
    }
    if (hasReviews) deletedQueues(connection).add({ id: queue.id, name: queue.name })
    announce(`${formatVisibleText(queue.name)} is deleted`)
    navigate('/queues')
  }
  const archive = async () => {
    document.getElementById(foldId)?.hidePopover()
    try {
      await change.mutateAsync({ archived: !isArchived })
      announce(isArchived ? 'The queue is unarchived' : 'The queue is archived')
    } catch {
      // Shown below.
    }
  }
  const error = dialog === 'edit' ? null : (remove.error ?? change.error)
  return (
    <>
      {hasReviews && !isArchived && open !== undefined && open > 0 && (
        // Without a scorer reviewers have nothing to answer.
        <Link
          href={queue.scorer_refs.length > 0 ? toReviewHref(queue.id) : toScorersHref(queue.id)}
          className={buttonClass('primary')}
        >
          {queue.scorer_refs.length > 0 ? `Review ${formatCount(String(open))}` : 'Add scorers'}
        </Link>
      )}
      {children}
      {canChange && (
        <>
          <IconButton
            label="More actions"
            icon={moreIcons.dots}
            popoverTarget={foldId}
            className="border border-line-strong md:hidden"
          />
          <div id={foldId} popover="auto" className="folded-actions foot-sheet">
            <Button icon={moreIcons.edit} onClick={() => setDialog('edit')}>
              Edit
            </Button>
            {isArchived !== undefined && (
              <Button isBusy={change.isPending} onClick={() => void archive()}>
                {isArchived ? 'Unarchive' : 'Archive'}
              </Button>
            )}
            {hasReviews !== undefined && (
              <Button
                variant="danger"
                icon={moreIcons.trash}
                isBusy={remove.isPending}
                // What can be undone needs no question.
                onClick={() => (hasReviews ? void sendRemoval() : setDialog('delete'))}
              >
                Delete
              </Button>
            )}
          </div>
        </>
      )}
      {error && dialog === undefined && (
        <Banner tone="bad" title="Nothing is changed, or not known to be">
          {error.message}
        </Banner>
      )}
      {dialog === 'edit' && (
        <Suspense>
          <EditQueue queue={queue} hasReviews={hasReviews === true} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
      {dialog === 'delete' && (
        <Dialog
          title="Delete this queue?"
          onClose={() => setDialog(undefined)}
          className="w-96"
          actions={
            <>
              <Button onClick={() => setDialog(undefined)}>Cancel</Button>
              <Button variant="danger" isBusy={remove.isPending} onClick={() => void sendRemoval()}>
                Delete
              </Button>
            </>
          }
        >
          <p className="break-words">
            <strong className="font-semibold">
              <ForeignText text={queue.name} />
            </strong>{' '}
            is deleted with its items, for everyone. This service cannot undo it.
          </p>
          {remove.error && (
            <p role="alert" className="mt-2 break-words text-bad">
              {remove.error.message}
            </p>
          )}
        </Dialog>
      )}
    </>
  )
}
