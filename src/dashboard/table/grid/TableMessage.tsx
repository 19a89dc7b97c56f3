import type { ReactNode } from 'react'
import { ApiError } from '../../client/api-error'
import { usePreferences } from '../../format/preferences'
import { Time } from '../../format/Time'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { Icon } from '../../ui/Icon'
import type { TableState } from '../view/use-table-state'
import { FailureActions, formatFailure } from './Failure'

type Props = {
  table: Pick<TableState<unknown, never>, 'data' | 'view' | 'setView'>
  /** Removes all filters; undefined while none is set. */
  onClearFilters: (() => void) | undefined
  emptyMessage: ReactNode
}

/** Shown instead of rows: failed, past the end, nothing matches, or nothing there at all. Each says what to do next. */
export function TableMessage({ table: { data, view, setView }, onClearFilters, emptyMessage }: Props) {
  const { rows, error, refetch } = data
  if (rows === undefined) {
    return error ? <Failure error={error} refetch={refetch} /> : <Stopped retry={() => void refetch()} />
  }
  if (data.brokenLines.length > 0) return <EmptyState>No row of this page could be read.</EmptyState>
  if (view.page > 1) {
    const action = <Button onClick={() => setView({ page: 1 })}>Back to the first page</Button>
    return <EmptyState action={action}>{`Page ${view.page} is past the end of the list.`}</EmptyState>
  }
  if (onClearFilters) {
    return (
      <EmptyState
        action={
          <Button icon="x" onClick={onClearFilters}>
            Clear filters
          </Button>
        }
      >
        Nothing matches these filters.
      </EmptyState>
    )
  }
  return <EmptyState>{emptyMessage}</EmptyState>
}

function Failure({ error, refetch }: { error: Error; refetch: () => Promise<unknown> }) {
  const { zone } = usePreferences()
  const at = error instanceof ApiError ? error.failedAt : undefined
  return (
    <div role="alert" className="mx-auto flex max-w-140 flex-col gap-3 px-4 py-12">
      <p className="flex items-center gap-2 font-semibold">
        <Icon name="error" className="text-bad" />
        The rows could not be read
      </p>
      <p className="break-words whitespace-pre-wrap">{formatFailure(error)}</p>
      {at && (
        <p className="text-quiet">
          Tried at <Time iso={at.toISOString()} zone={zone} />
        </p>
      )}
      <p className="flex flex-wrap gap-2">
        <FailureActions error={error} refetch={refetch} />
      </p>
    </div>
  )
}

function Stopped({ retry }: { retry: () => void }) {
  return <EmptyState action={<Button onClick={retry}>Load again</Button>}>Stopped before any row came.</EmptyState>
}
