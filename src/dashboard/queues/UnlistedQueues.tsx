import { Link } from 'wouter'
import { useConnection } from '../client/connection-context'
import { ForeignText } from '../format/ForeignText'
import { formatVisibleText } from '../format/visible-text'
import { Banner } from '../ui/Banner'
import { buttonClass } from '../ui/button-class'
import { CopyButton } from '../ui/CopyButton'
import { createdQueues } from './created-queues'

/** For a server that creates queues but cannot list them: the queues that this tab created. */
export function UnlistedQueues() {
  const created = createdQueues(useConnection()).list()
  return (
    <div className="flex flex-col gap-4 px-4">
      <Banner
        tone="info"
        title="This server cannot list queues"
        actions={
          <Link href="/queues/new" className={buttonClass()}>
            New queue
          </Link>
        }
      >
        It may have none. Keep the ids of queues that you create.
      </Banner>
      {created.length > 0 && (
        <section>
          <h2 className="mb-1 font-semibold">Created in this tab</h2>
          <ul aria-label="Created in this tab" className="border-t border-line">
            {created.map(({ id, name }) => (
              <li key={id} className="flex min-h-8 flex-wrap items-center gap-x-3 border-b border-line py-1">
                <span className="min-w-0 break-words">
                  <ForeignText text={name} />
                </span>
                <code className="ml-auto min-w-0 font-mono text-xs break-all text-quiet">
                  <ForeignText text={id} />
                </code>
                <CopyButton text={id} label={`Copy id of ${formatVisibleText(name)}`} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
