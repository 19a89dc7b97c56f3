import type { Queue } from '../../../contract/queues'
import { Banner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import type { ReviewSession } from './review-session'
import type { Entry, SessionState } from './review-state'

type Props = { session: ReviewSession; state: SessionState; entry: Entry; queue: Queue }

/** What a person has to know of this item before they answer. */
export function ReviewMessages({ session, state, entry, queue }: Props) {
  const { notice } = state
  const { item, lease, decision } = entry
  const isLeft = decision === 'left'
  const isDisputed = item.required_reviews > queue.reviews_per_item
  return (
    <>
      {notice && <Banner tone={notice.tone} title={notice.text} />}
      {decision === 'completed' && !notice && (
        <Banner
          tone="info"
          title={
            session.findUnsaved()?.text ?? 'You completed this item. What you save now counts instead of your earlier answers.'
          }
        />
      )}
      {decision === 'skipped' && (
        <Banner
          tone="info"
          title="You skipped this item."
          actions={<Button onClick={() => void session.undo()}>Take the skip back</Button>}
        />
      )}
      {isDisputed && decision === undefined && (
        <Banner tone="info" title="Earlier reviewers disagreed about this item">
          Your review decides it. Their answers are not shown.
        </Banner>
      )}
      {(isLeft || (decision === undefined && lease === 'ended')) && (
        <Banner
          tone="warn"
          title={isLeft ? 'You have not completed this item' : 'Your ten minutes with this item ended'}
          actions={<Button onClick={() => (isLeft ? void session.undo() : session.touch())}>Take it again</Button>}
        >
          Somebody else may get it now. What you entered is kept.
        </Banner>
      )}
    </>
  )
}
