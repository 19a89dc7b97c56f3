import { ApiError } from '../client/api-error'
import { Banner } from '../ui/Banner'
import { Button } from '../ui/Button'
import { CopyButton } from '../ui/CopyButton'

type Props = { error: Error; onRetry: () => void }

/** What went wrong, when, and what can be done about it. */
export function ListFailure({ error, onRetry }: Props) {
  return (
    <Banner
      tone="bad"
      className="mx-4 mb-3"
      title="The queue could not be read"
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
