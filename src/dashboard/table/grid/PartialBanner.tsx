import { usePreferences } from '../../format/preferences'
import { Time } from '../../format/Time'
import { Banner } from '../../ui/Banner'
import { isOutdated, type TableData } from '../view/table-data'
import { FailureActions, formatFailure } from './Failure'

type Props = { data: TableData<unknown>; columns: readonly { id: string; label: string }[] }

/** Says why the rows are incomplete or old: unreadable lines, an interrupted response, or a request that failed. */
export function PartialBanner({ data, columns }: Props) {
  const { zone } = usePreferences()
  const { error, isComplete, isPlaceholder, brokenLines, notice, rowsView, updatedAt } = data
  const order = rowsView.sort.map(({ id, direction }) => {
    const { label = id } = columns.find((column) => column.id === id) ?? {}
    return `${label} ${direction === 'desc' ? 'descending' : 'ascending'}`
  })
  const actions = <FailureActions {...data} />
  return (
    <div className="table-partial flex flex-col gap-2 px-4 pb-2">
      {notice && <Banner tone="info" title={notice} />}
      {isOutdated(data) ? (
        <Banner
          tone="warn"
          title={
            isPlaceholder
              ? 'This view could not be read; these are the rows before it'
              : 'The refresh failed; these are the earlier rows'
          }
          actions={actions}
        >
          <p>
            From <Time iso={new Date(updatedAt).toISOString()} zone={zone} />
            {isPlaceholder && `, page ${rowsView.page}`}
            {isPlaceholder && order.length > 0 && `, sorted by ${order.join(', ')}`}. {error && formatFailure(error)}
          </p>
        </Banner>
      ) : !isComplete && (error || !data.isFetching) ? (
        <Banner tone="warn" title={`Partial: the response ended after ${data.readCount} rows`} actions={actions}>
          {error ? formatFailure(error) : 'You cancelled it.'} The rows received are shown; more may be missing.
        </Banner>
      ) : null}
      {brokenLines.length > 0 && (
        <Banner
          tone="warn"
          title={`${brokenLines.length} ${brokenLines.length === 1 ? 'line' : 'lines'} could not be read`}
          actions={isComplete && actions}
        >
          <details>
            <summary>All other rows are shown. Show the unreadable lines</summary>
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
