import { ApiError, ResponseSchemaError, StreamInterruptedError, UnreachableError } from '../client/api-error'
import { Banner } from '../ui/Banner'
import { Button } from '../ui/Button'
import { CopyButton } from '../ui/CopyButton'

type Props = { error: Error; onNewKey: () => void; onRetry: () => void }

/** A request that failed for another reason than its content. The idempotency key makes a retry safe. */
export function CreateQueueFailure({ error, onNewKey, onRetry }: Props) {
  const copyDetails = <CopyButton hasText label="Copy details" text={error instanceof ApiError ? error.details : error.message} />
  if (error instanceof ApiError && error.status === 409) {
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
  const mayBeCreated =
    error instanceof UnreachableError || error instanceof StreamInterruptedError || error instanceof ResponseSchemaError
  return (
    <Banner
      tone="bad"
      title={mayBeCreated ? 'No usable reply: the queue may or may not exist' : 'The queue was not created'}
      actions={
        <>
          <Button icon="refresh" onClick={onRetry}>
            Try again
          </Button>
          {copyDetails}
        </>
      }
    >
      {error.message} {mayBeCreated && 'You can safely try again: this draft makes one queue, however often it is sent.'}
    </Banner>
  )
}
