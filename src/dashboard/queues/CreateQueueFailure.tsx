import { ApiError } from '../client/api-error'
import { Banner } from '../ui/Banner'
import { Button } from '../ui/Button'
import { CopyButton } from '../ui/CopyButton'
import { getCreateOutcome } from './create-outcome'

type Props = {
  error: Error
  /** Whether the server makes one queue of one draft, however often it is sent. */
  keepsKeys: boolean
  onNewKey: () => void
  onRetry: () => void
}

/** A request that failed, and what that says about the queue. */
export function CreateQueueFailure({ error, keepsKeys, onNewKey, onRetry }: Props) {
  const outcome = getCreateOutcome(error, keepsKeys)
  const copyDetails = <CopyButton hasText label="Copy details" text={error instanceof ApiError ? error.details : error.message} />
  if (outcome === 'created-earlier') {
    return (
      <Banner
        tone="warn"
        title="An earlier version of this draft is already a queue"
        actions={
          <>
            <Button onClick={onNewKey}>Make it a new queue</Button>
            {copyDetails}
          </>
        }
      >
        You sent this draft before, with other content, and the server created that queue. Its reply may have been lost. If you
        continue, the content shown here becomes a second queue.
      </Banner>
    )
  }
  return (
    <Banner
      tone="bad"
      title={outcome === 'unknown' ? 'No usable reply: the queue may or may not exist' : 'The queue was not created'}
      actions={
        <>
          <Button icon="refresh" onClick={onRetry}>
            Try again
          </Button>
          {copyDetails}
        </>
      }
    >
      {error.message} {outcome === 'unknown' && (keepsKeys ? safeToRepeat : mayRepeat)}
    </Banner>
  )
}

const safeToRepeat = 'You can safely try again: this draft makes one queue, however often it is sent.'
const mayRepeat = 'This service may create a second queue if you send again: look first whether the queue exists.'
