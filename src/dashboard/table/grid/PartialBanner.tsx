import { ApiError } from '../../client/api-error'
import { Banner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import { CopyButton } from '../../ui/CopyButton'
import { moreIcons } from '../../ui/more-icons'
import type { TableData } from '../view/table-data'

/** Says what is missing from the rows that are there: lines that could not be read, an answer cut off, a refresh that failed. */
export function PartialBanner({ answer }: { answer: TableData<unknown> }) {
  const { error, isComplete, brokenLines, refetch } = answer
  const isCut = !isComplete
  const retry = (
    <Button icon={moreIcons.refresh} onClick={() => void refetch()}>
      Retry
    </Button>
  )
  return (
    <div className="flex flex-col gap-2 px-4 pb-2">
      {isCut ? (
        <Banner tone="warn" title={`Partial: the answer ended after ${answer.readCount} rows`} actions={retry}>
          {error?.message ?? 'It was stopped here.'} What came is shown; more may be missing.
        </Banner>
      ) : error ? (
        <Banner
          tone="warn"
          title="The refresh failed; these are the rows from before"
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
          actions={!isCut && retry}
        >
          <details>
            <summary className="cursor-pointer">All other rows are shown. See the broken lines</summary>
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
