import { useCallback, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { useConnection } from '../client/connection-context'
import { Button } from '../ui/Button'
import { buttonClass } from '../ui/button-class'
import { PageHeader } from '../ui/PageHeader'
import { CreatedQueueNotice } from './CreatedQueueNotice'
import type { CreatedQueue } from './created-queues'
import { NewQueueForm } from './NewQueueForm'
import { draftStore, isEmptyDraft, newDraft, type QueueDraft } from './queue-draft'

/** Other pages link here with `?name=` and `?description=`, which fill an empty draft. */
export function NewQueuePage() {
  const connection = useConnection()
  const search = new URLSearchParams(useSearch())
  const [drafts] = useState(() => draftStore(connection))
  const [draft, setDraft] = useState(() => firstDraft(drafts.read(), search))
  const [discarded, setDiscarded] = useState<QueueDraft>()
  const [created, setCreated] = useState<{ queue: CreatedQueue; draft: QueueDraft }>()

  const save = useCallback(
    (content: QueueDraft) => {
      drafts.write(content)
      // The person writes something new: an undo would now overwrite it.
      if (!isEmptyDraft(content)) setDiscarded(undefined)
    },
    [drafts],
  )

  const begin = (content: QueueDraft) => {
    drafts.write(content)
    setDraft(content)
    setCreated(undefined)
    setDiscarded(undefined)
  }

  return (
    <>
      <PageHeader title={created ? 'Queue created' : 'New queue'} aside={created ? undefined : `in ${connection.projectId}`}>
        <Link href="/queues" className={buttonClass('quiet')}>
          All queues
        </Link>
      </PageHeader>
      <div className="border-t border-line px-4 py-4">
        {discarded && (
          <output className="mb-3 flex items-center gap-2 text-quiet">
            The draft was discarded.
            <Button icon="undo" onClick={() => begin(discarded)}>
              Undo
            </Button>
          </output>
        )}
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
              begin(newDraft())
              setDiscarded(content)
            }}
            onNewKey={(content) => begin(newDraft(content))}
            onCreated={(queue, content) => {
              drafts.remove()
              setCreated({ queue, draft: content })
            }}
          />
        )}
      </div>
    </>
  )
}

function firstDraft(kept: QueueDraft | undefined, search: URLSearchParams): QueueDraft {
  if (kept && !isEmptyDraft(kept)) return kept
  return newDraft({ name: search.get('name') ?? '', description: search.get('description') ?? '' })
}
