import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useConnection } from '../client/connection-context'
import { ForeignText } from '../format/ForeignText'
import { queueToFill } from '../table/add-to-queue/queue-to-fill'
import { Button } from '../ui/Button'
import { buttonClass } from '../ui/button-class'
import { CopyButton } from '../ui/CopyButton'
import { Icon } from '../ui/Icon'
import type { CreatedQueue } from './created-queues'
import { toQueueHref } from './detail/queue-hrefs'

type Props = { queue: CreatedQueue; onAnother: () => void; onNew: () => void }

export function CreatedQueueNotice({ queue, onAnother, onNew }: Props) {
  const toFill = queueToFill(useConnection())
  const notice = useRef<HTMLDivElement>(null)
  // The focused form is removed, so the notice takes the focus.
  useEffect(() => {
    notice.current?.focus()
  }, [])
  return (
    <section ref={notice} tabIndex={-1} aria-label="Queue created" className="flex flex-col gap-4 outline-none">
      <p className="flex items-start gap-2">
        <Icon name="check" className="mt-0.5 text-good" />
        <span className="min-w-0 break-words">
          <strong className="font-semibold">
            <ForeignText text={queue.name} />
          </strong>{' '}
          is created. It has no calls yet: add turns, and people can review them.
        </span>
      </p>
      <dl className="flex flex-wrap items-center gap-2 border-y border-line py-2">
        <dt className="text-quiet">Id</dt>
        <dd className="flex min-w-0 items-center gap-1">
          <code className="min-w-0 font-mono break-all">
            <ForeignText text={queue.id} />
          </code>
          <CopyButton text={queue.id} label="Copy id" />
        </dd>
      </dl>
      <div className="flex flex-wrap gap-2">
        <Link href="/threads" className={buttonClass('primary')} onClick={() => toFill.write(queue)}>
          Add turns
        </Link>
        <Link href={toQueueHref(queue.id)} className={buttonClass()}>
          Open the queue
        </Link>
        <Button onClick={onAnother}>Another like this</Button>
        <Button variant="quiet" onClick={onNew}>
          New empty draft
        </Button>
      </div>
    </section>
  )
}
