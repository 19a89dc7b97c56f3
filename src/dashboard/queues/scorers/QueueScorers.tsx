import { useState } from 'react'
import type { Queue } from '../../../contract/queues'
import { useRefVersions } from '../../client/object-versions'
import { formatVisibleText } from '../../format/visible-text'
import { Banner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import { moreIcons } from '../../ui/more-icons'
import { useCanChangeQueues } from '../detail/use-can-change-queues'
import { toScorerRefStates } from './scorer-ref-state'
import type { ScorerChange } from './change-scorer-refs'
import { QueueScorer } from './QueueScorer'
import { MakeScorerButton, ScorerDialog } from './ScorerDialog'
import { ScorerPicker } from './ScorerPicker'
import { useChangeScorers } from './use-change-scorers'

/** What was changed last, and how it is undone. */
export type ScorerNotice = { text: string; inverse?: ScorerChange }

type Props = {
  queue: Queue
  /** Kept by the page, so that it is still there after a look at another view. */
  done: ScorerNotice | undefined
  onDone: (notice: ScorerNotice | undefined) => void
}

/** The scorers of a queue: what reviewers are asked, newer versions, and which scorers there are. */
export function QueueScorers({ queue, done, onDone }: Props) {
  const { data: versions, error: unread, isPlaceholderData } = useRefVersions(queue.scorer_refs)
  const canChange = useCanChangeQueues()
  const { mutate, isPending, error, variables } = useChangeScorers(queue)
  const [focusPlace, setFocusPlace] = useState(1)
  const change = (wanted: ScorerChange, text: string) => {
    // What replaces a row has its place; where it is removed, the next one has, or else the last one.
    const maxPlace = queue.scorer_refs.length - (wanted.to === undefined ? 1 : 0)
    setFocusPlace(Math.max(1, Math.min(queue.scorer_refs.indexOf(wanted.from ?? '') + 1, maxPlace)))
    if (!isPending) mutate(wanted, { onSuccess: (inverse) => onDone({ text, inverse }), onError: () => onDone(undefined) })
  }
  const states = toScorerRefStates(
    queue.scorer_refs.map((text) => ({ text })),
    queue.project_id,
    versions,
    !isPlaceholderData,
  )
  return (
    <section aria-label="Scorers" data-keeps-focus="button" className="flex max-w-240 flex-col gap-3 px-4 py-3">
      {canChange && (
        <div className="flex flex-wrap items-center gap-2">
          <ScorerPicker taken={queue.scorer_refs} onPick={(to) => change({ to }, 'The scorer was added.')} />
          <MakeScorerButton />
        </div>
      )}
      <output className="block empty:hidden">
        {done && (
          <Banner
            tone="good"
            title={formatVisibleText(done.text)}
            actions={
              done.inverse && (
                <Button icon={moreIcons.undo} isBusy={isPending} onClick={() => done.inverse && change(done.inverse, 'Undone.')}>
                  Undo
                </Button>
              )
            }
          />
        )}
      </output>
      {error && (
        <Banner
          tone="bad"
          title="The scorers of the queue are not known to be changed"
          actions={
            variables && (
              <Button icon="refresh" onClick={() => change(variables, 'The scorers were changed.')}>
                Try again
              </Button>
            )
          }
        >
          {formatVisibleText(error.message)}
        </Banner>
      )}
      {unread && (
        <Banner tone="warn" title="Only the names of the scorers are known">
          The service did not list their versions. {formatVisibleText(unread.message)}
        </Banner>
      )}
      {states.length === 0 ? (
        <p className="text-quiet">
          This queue has no scorers: reviewers have nothing to answer.{canChange && ' Pick one, or make one.'}
        </p>
      ) : (
        <ul
          aria-label="Scorers of this queue"
          data-keeps-focus={`li:nth-child(${focusPlace}) button`}
          className="border-t border-line"
        >
          {states.map((state) => (
            <QueueScorer
              key={state.text}
              queue={queue}
              state={state}
              versions={versions ?? []}
              onChange={canChange ? change : undefined}
            />
          ))}
        </ul>
      )}
      <ScorerDialog
        onStored={({ ref, notice }, editedRef) => {
          if (editedRef === undefined) change({ to: ref }, `${notice} It was added to the queue.`)
          else onDone({ text: `${notice} This queue keeps its version until it is moved.` })
        }}
      />
    </section>
  )
}
