import type { Queue } from '../../../contract/queues'
import { Banner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import type { ReviewSession } from './review-session'
import type { Entry, SessionState } from './review-state'
import { isUnsaved } from './sent-answers'

type Props = { session: ReviewSession; state: SessionState; entry: Entry; queue: Queue }

/** What a person has to know of this item before they answer. */
export function ReviewMessages({ session, state, entry, queue }: Props) {
  const { notice } = state
  const { item, lease, decision } = entry
  const isDisputed = item.required_reviews > queue.reviews_per_item
  return (
    <>
      {notice && <Banner tone={notice.tone} title={notice.text} />}
      {decision === 'completed' && !notice && (
        <Banner
          tone="info"
          title={
            isUnsaved(session.fields, entry)
              ? 'Your correction is not saved. Until you save it, your earlier answers count.'
              : 'You completed this item. What you save now counts instead of your earlier answers.'
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
      {decision === 'left' ? (
        <Banner
          tone="warn"
          title="You have not completed this item"
          actions={<Button onClick={() => void session.undo()}>Take it again</Button>}
        >
          What you entered is kept.
        </Banner>
      ) : (
        decision === undefined &&
        lease === 'ended' && (
          <Banner
            tone="warn"
            title="Your ten minutes with this item ended"
            actions={<Button onClick={() => session.touch()}>Take it again</Button>}
          >
            Somebody else may get it now. What you entered is kept.
          </Banner>
        )
      )}
    </>
  )
}
