import { useIsPartMissing } from '../../client/lazy-part'
import { retryNow } from '../../client/retry-schedule'
import { Banner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import { Skeleton } from '../../ui/Skeleton'
import { retriesByItself } from './Failure'

/** In place of a part of the page that is loading. If its file does not come, this says so while it is requested again. */
export function PartFallback() {
  return useIsPartMissing() ? (
    <Banner
      tone="warn"
      className="m-4"
      title="This part of the page could not be loaded"
      actions={
        <Button icon="refresh" onClick={retryNow}>
          Retry now
        </Button>
      }
    >
      The server does not respond. {retriesByItself}
    </Banner>
  ) : (
    <output aria-label="Loading" className="block px-4 py-4">
      <Skeleton className="h-4 w-32" />
    </output>
  )
}
