import { useCallback, useEffect, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { useConnection } from '../client/connection-context'
import { ForeignText } from '../format/ForeignText'
import { Button } from '../ui/Button'
import { buttonClass } from '../ui/button-class'
import { PageHeader } from '../ui/PageHeader'
import { CreatedQueueNotice } from './CreatedQueueNotice'
import type { CreatedQueue } from './created-queues'
import { NewQueueForm } from './NewQueueForm'
import { draftStore, isEmptyDraft, newDraft, type QueueDraft } from './queue-draft'
import { moreIcons } from '../ui/more-icons'

/** Other pages link here with `?name=` and `?description=`, which fill an empty draft. */
export function NewQueuePage() {
  const connection = useConnection()
  const search = new URLSearchParams(useSearch())
  const [drafts] = useState(() => draftStore(connection))
  const [draft, setDraft] = useState(() => drafts.take() ?? newDraft(toContent(search)))
  const [others, setOthers] = useState(() => drafts.listOthers())
  const [discarded, setDiscarded] = useState<QueueDraft>()
  const [created, setCreated] = useState<{ queue: CreatedQueue; draft: QueueDraft }>()

  const save = useCallback(
    (content: QueueDraft) => {
      // The person writes something new: an undo would now overwrite it.
      if (!isEmptyDraft(content)) setDiscarded(undefined)
      return drafts.write(content)
    },
    [drafts],
  )

  // Timers and events of the window are outside React.
  useEffect(() => drafts.keepLease(), [drafts])

  const begin = (content: QueueDraft) => {
    drafts.write(content)
    setDraft(content)
    setOthers(drafts.listOthers())
    setCreated(undefined)
    setDiscarded(undefined)
  }

  return (
    <>
      <PageHeader
        title={created ? 'Queue created' : 'New queue'}
        aside={
          created ? undefined : (
            <>
              in <ForeignText text={connection.projectId} />
            </>
          )
        }
      >
        <Link href="/queues" className={buttonClass('quiet')}>
          All queues
        </Link>
      </PageHeader>
      <div className="border-t border-line px-4 py-4">
        {discarded && (
          <output className="mb-3 flex items-center gap-2 text-quiet">
            The draft was discarded.
            <Button icon={moreIcons.undo} onClick={() => begin(discarded)}>
              Undo
            </Button>
          </output>
        )}
        {!created && others.length > 0 && <OtherDrafts drafts={others} onOpen={begin} />}
        {created ? (
          <CreatedQueueNotice
            queue={created.queue}
            onAnother={() => begin(newDraft(created.draft))}
            onNew={() => begin(newDraft())}
          />
        ) : (
          <NewQueueForm
            key={draft.idempotencyKey}
            draft={draft}
            onChange={save}
            onDiscard={(content) => {
              drafts.remove(draft)
              begin(newDraft())
              setDiscarded(content)
            }}
            onNewKey={(content) => {
              drafts.remove(draft)
              begin(newDraft(content))
            }}
            onCreated={(queue, content) => {
              drafts.remove(draft)
              setCreated({ queue, draft: content })
            }}
          />
        )}
      </div>
    </>
  )
}

function toContent(search: URLSearchParams): Partial<QueueDraft> {
  return { name: search.get('name') ?? '', description: search.get('description') ?? '' }
}

const maxShownDrafts = 5

/** The drafts that closed tabs left, each with a button that opens it in this tab. */
function OtherDrafts({ drafts, onOpen }: { drafts: readonly QueueDraft[]; onOpen: (draft: QueueDraft) => void }) {
  return (
    <p className="mb-3 flex flex-wrap items-center gap-x-2 gap-y-1 text-quiet">
      {drafts.length === 1 ? 'Another draft is kept:' : `${drafts.length} other drafts are kept:`}
      {drafts.slice(0, maxShownDrafts).map((draft) => (
        <Button key={draft.idempotencyKey} onClick={() => onOpen(draft)} className="max-w-60 font-normal!">
          <span className="truncate">
            <ForeignText text={draft.name.trim() || 'without a name'} isOneLine />
          </span>
        </Button>
      ))}
    </p>
  )
}
