import { ApiError } from '../../client/api-error'
import { Banner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import { CopyButton } from '../../ui/CopyButton'
import type { TableData } from '../view/table-data'

/** Says why the rows are incomplete: unreadable lines, an interrupted response, or a failed refresh. */
export function PartialBanner({ data }: { data: TableData<unknown> }) {
  const { error, isComplete, brokenLines, refetch } = data
  const isInterrupted = !isComplete
  const retry = (
    <Button icon="refresh" onClick={() => void refetch()}>
      Retry
    </Button>
  )
  return (
    <div className="flex flex-col gap-2 px-4 pb-2">
      {isInterrupted ? (
        <Banner tone="warn" title={`Partial: the response ended after ${data.readCount} rows`} actions={retry}>
          {error?.message ?? 'You cancelled it.'} The rows received are shown; more may be missing.
        </Banner>
      ) : error ? (
        <Banner
          tone="warn"
          title="The refresh failed; these are the earlier rows"
          actions={
            <>
              {error instanceof ApiError && <CopyButton hasText label="Copy details" text={error.details} />}
              {retry}
            </>
          }
        >
          {error.message}
        </Banner>
      ) : null}
      {brokenLines.length > 0 && (
        <Banner
          tone="warn"
          title={`${brokenLines.length} ${brokenLines.length === 1 ? 'line' : 'lines'} could not be read`}
          actions={!isInterrupted && retry}
        >
          <details>
            <summary className="cursor-pointer">All other rows are shown. Show the unreadable lines</summary>
            <ul className="mt-1 max-h-40 overflow-auto font-mono text-xs">
              {brokenLines.slice(0, 100).map(({ line, text, reason }) => (
                <li key={line} className="break-all">
                  {`Line ${line}: ${reason} `}
                  <code>{text}</code>
                </li>
              ))}
            </ul>
          </details>
        </Banner>
      )}
    </div>
  )
}
