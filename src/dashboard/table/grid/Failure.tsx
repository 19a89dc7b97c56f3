import { ApiError } from '../../client/api-error'
import { retryNow } from '../../client/retry-schedule'
import { Button } from '../../ui/Button'
import { CopyButton } from '../../ui/CopyButton'

export const retriesByItself = 'This page tries again by itself.'

/** What went wrong, and whether the same request is sent again without a click. */
export function formatFailure(error: Error): string {
  return error instanceof ApiError && error.isTransient ? `${error.message} ${retriesByItself}` : error.message
}

/** Sends the failed request again, and with it everything else that waits for the server. */
export function FailureActions({ error, refetch }: { error: Error | null; refetch: () => Promise<unknown> }) {
  return (
    <>
      <Button
        icon="refresh"
        onClick={() => {
          void refetch()
          retryNow()
        }}
      >
        Retry now
      </Button>
      {error && (
        <CopyButton hasText label="Copy details" text={error instanceof ApiError ? error.details : String(error.stack)} />
      )}
    </>
  )
}
