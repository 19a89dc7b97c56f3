import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Queue } from '../../../contract/queues'
import { useConnection } from '../../client/connection-context'
import { useVersionByRef } from '../../client/object-versions'
import { ownerKey } from '../../client/owner-key'
import { waitForRetry } from '../../client/retry-schedule'
import { randomUuid } from '../../client/random-hex'
import { formatCount } from '../../format/count'
import { setUrlState } from '../../table/view/use-url-state'
import { parseView, stringParam } from '../../table/view/url-params'
import { announce } from '../../ui/announce'
import { Banner } from '../../ui/Banner'
import { countProgress } from '../detail/count-progress'
import { AnswerInput } from './AnswerInput'
import type { UnaskedScorer } from './answer-fields'
import { createReviewApi, paintMs } from './create-review-api'
import { otherTabs } from './other-tabs'
import { reviewDrafts } from './review-drafts'
import { queueStatsQuery, statsMs } from './review-queries'
import { ReviewSession } from './review-session'
import type { AnswerField } from './sent-answers'
import { ReviewedCall } from './ReviewedCall'
import { ReviewFailure } from './ReviewFailure'
import { ReviewFinished } from './ReviewFinished'
import { ReviewFooter } from './ReviewFooter'
import { ReviewMessages } from './ReviewMessages'
import { UnaskedScorers } from './UnaskedScorers'
import { listFields, useReviewKeys } from './use-review-keys'

const reviewParams = { item: stringParam(128) }
const tickMs = 10_000

type Props = { queue: Queue; fields: readonly AnswerField[]; unasked: readonly UnaskedScorer[] }

/** One item after the other: its call, and what people are asked about it. */
export function ReviewDesk({ queue, fields, unasked }: Props) {
  const connection = useConnection()
  const queryClient = useQueryClient()
  const versions = useVersionByRef(fields.map(({ ref }) => ref))
  const [tabs] = useState(() => otherTabs(`spool.review ${ownerKey(connection)} ${queue.id}`))
  const [session] = useState(
    () =>
      new ReviewSession({
        api: createReviewApi({ queueId: queue.id, fields, connection, queryClient, tabs }),
        drafts: reviewDrafts(connection, queue.id),
        fields,
        annotator: connection.username,
        newId: randomUuid,
        now: Date.now,
        waitForRetry,
      }),
  )
  const state = useSyncExternalStore(session.subscribe, session.getState)
  const entry = state.entries[state.index]
  const itemId = entry?.item.id ?? ''
  const isSkipped = entry?.decision === 'skipped'
  const fieldsArea = useRef<HTMLDivElement>(null)
  const [firstItemId] = useState(() => parseView(reviewParams, location.search).item)

  // The session talks to the service and keeps timers.
  useEffect(() => {
    const leaveTabs = tabs.join()
    const stopTelling = session.subscribe(() => tabs.tell(session.heldIds))
    void session.start(firstItemId)
    const timer = setInterval(() => void session.tick(), tickMs)
    const touch = () => session.touch()
    const leavePage = () => session.leavePage()
    addEventListener('pagehide', leavePage)
    addEventListener('pointerdown', touch)
    addEventListener('keydown', touch)
    return () => {
      clearInterval(timer)
      removeEventListener('pagehide', leavePage)
      removeEventListener('pointerdown', touch)
      removeEventListener('keydown', touch)
      session.stop()
      stopTelling()
      leaveTabs()
    }
  }, [session, firstItemId, tabs])

  // A focused field that is removed makes the browser lay out the page once more, half drawn.
  useEffect(
    () =>
      session.subscribe(() => {
        const isLeft = session.current?.item.id !== itemId
        if (isLeft && fieldsArea.current?.contains(document.activeElement)) fieldsArea.current.focus({ preventScroll: true })
      }),
    [session, itemId],
  )

  const position = `Item ${state.index + 1} of this visit`
  useEffect(() => {
    if (itemId !== '') announce([position, state.notice?.text].filter(Boolean).join('. '))
  }, [itemId, position, state.notice])

  // Focus and scroll belong to the document. They need its layout, so all that changes it comes before.
  useEffect(() => {
    if (itemId === '') return
    fieldsArea.current?.closest('main')?.scrollTo({ top: 0 })
    // The fields of a skipped item are disabled.
    if (!isSkipped) listFields(fieldsArea.current)[0]?.focus({ preventScroll: true })
  }, [itemId, isSkipped])
  useEffect(() => {
    if (state.refusedCount === 0) return
    const invalid = listFields(fieldsArea.current).find((each) => each.querySelector('[aria-live] > span'))
    invalid?.focus()
  }, [state.refusedCount])

  // The address names the item; each one would be a step of Back. Nothing on the page reads it again.
  useEffect(() => {
    if (itemId === '') return undefined
    const timer = setTimeout(() => setUrlState(reviewParams, { item: itemId }, { replace: true }), paintMs)
    return () => clearTimeout(timer)
  }, [itemId])

  useReviewKeys(session, fieldsArea)

  if (state.phase === 'finished') {
    return (
      <>
        {state.notice && <Banner tone={state.notice.tone} className="mx-4 mb-3" title={state.notice.text} />}
        <ReviewFinished queue={queue} entries={state.entries} onLookAgain={() => void session.start('')} />
        {state.entries.length > 0 && <ReviewFooter session={session} state={state} entry={undefined} />}
      </>
    )
  }
  if (!entry) {
    return state.failure ? (
      <ReviewFailure error={state.failure.error} queueId={queue.id} onRetry={() => void session.start(firstItemId)} />
    ) : (
      <output aria-label="Loading" className="block px-4 py-3" />
    )
  }
  return (
    <>
      <div className="grid flex-1 border-t border-line min-[900px]:grid-cols-[minmax(0,1fr)_minmax(320px,400px)]">
        <div className="min-w-0 py-3">
          <ReviewedCall item={entry.item} />
        </div>
        <section aria-label="Your answers" className="min-w-0 border-line px-4 py-3 max-[899px]:border-t min-[900px]:border-l">
          <div ref={fieldsArea} tabIndex={-1} className="flex flex-col gap-2 outline-none min-[900px]:sticky min-[900px]:top-3">
            <h2 tabIndex={-1} className="flex flex-wrap items-baseline gap-x-2 font-semibold outline-none">
              {position}
              <QueueProgress queue={queue} />
            </h2>
            <ReviewMessages session={session} state={state} entry={entry} queue={queue} />
            {fields.map((field) => (
              <AnswerInput
                key={`${itemId} ${field.ref}`}
                field={field}
                version={versions.get(field.ref)}
                entered={entry.entered[field.ref]}
                problem={state.problems[field.ref]}
                isDisabled={isSkipped}
                isReadOnly={state.isBusy && !state.isRetrying}
                onEnter={(entered) => session.enter(field.ref, entered)}
              />
            ))}
            <UnaskedScorers scorers={unasked} />
          </div>
        </section>
      </div>
      <ReviewFooter session={session} state={state} entry={entry} />
    </>
  )
}

function QueueProgress({ queue: { id, reviews_per_item: reviewsPerItem } }: { queue: Queue }) {
  const query = queueStatsQuery(id, useConnection())
  const stats = useQuery({ ...query, refetchInterval: statsMs, staleTime: 0 }).data?.stats[0]
  if (!stats) return null
  const { done, total, unit } = countProgress(stats, reviewsPerItem)
  return (
    <span className="ml-auto text-xs font-normal text-quiet tabular-nums">
      {`${formatCount(String(done))} of ${formatCount(String(total))} ${unit} of the queue done`}
    </span>
  )
}
