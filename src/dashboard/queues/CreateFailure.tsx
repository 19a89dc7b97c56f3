import { ApiError, StreamInterruptedError, ResponseSchemaError, UnreachableError } from '../client/api-error'
import { Banner } from '../ui/Banner'
import { Button } from '../ui/Button'
import { CopyButton } from '../ui/CopyButton'
import { moreIcons } from '../ui/more-icons'

type Props = { failure: Error | undefined; isPending: boolean; onNewKey: () => void; onRetry: () => void }

/** A create that did not come to a known end. What is typed stays; the draft's key makes trying again safe. */
export function CreateFailure({ failure, isPending, onNewKey, onRetry }: Props) {
  if (!failure || isPending) return null
  const copyDetails = (
    <CopyButton hasText label="Copy details" text={failure instanceof ApiError ? failure.details : failure.message} />
  )
  if (failure instanceof ApiError && failure.status === 409) {
    return (
      <Banner
        tone="warn"
        title="An earlier version of this draft was created already"
        actions={
          <>
            <Button onClick={onNewKey}>Make it a new queue</Button>
            {copyDetails}
          </>
        }
      >
        The draft was sent before, with other content, and that queue exists; the answer may have been lost on the way. Going on
        makes a second queue from what stands here.
      </Banner>
    )
  }
  const isUnknown =
    failure instanceof UnreachableError || failure instanceof StreamInterruptedError || failure instanceof ResponseSchemaError
  return (
    <Banner
      tone="bad"
      title={isUnknown ? 'No usable answer: the queue may or may not exist' : 'The queue was not created'}
      actions={
        <>
          <Button icon={moreIcons.refresh} onClick={onRetry}>
            Try again
          </Button>
          {copyDetails}
        </>
      }
    >
      {failure.message} {isUnknown && 'Trying again is safe: this draft makes one queue, however often it is sent.'}
    </Banner>
  )
}
