import { ApiError } from '../client/api-error'
import { Banner } from '../ui/Banner'
import { Button } from '../ui/Button'
import { CopyButton } from '../ui/CopyButton'

/** What went wrong, when, and what can be done about it. */
export function ListFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Banner
      tone="bad"
      className="mx-4"
      title="The queues could not be read"
      actions={
        <>
          <Button icon="refresh" onClick={onRetry}>
            Try again
          </Button>
          <CopyButton hasText label="Copy details" text={error instanceof ApiError ? error.details : error.message} />
        </>
      }
    >
      {error.message}
    </Banner>
  )
}
