import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { formatCount } from '../../format/count'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Select } from '../../ui/Select'
import { useIntent } from '../../ui/use-intent'
import type { TableData } from '../view/table-data'
import { pageSizes } from '../view/url-params'
import type { TableState } from '../view/use-table-state'
import { SelectionActions } from './lazy-tools'

type Props = {
  table: Pick<TableState<unknown, never>, 'data' | 'view' | 'setView' | 'readAhead'>
  /** Which rows are on screen, such as `Rows 51–100, more follow`. */
  rowRange: string
  selectedIds: readonly string[]
  /** What can be done with the selected rows, beside copying their ids. */
  selectionActions: ReactNode
  onClearSelection: () => void
}

/** Which rows are on screen, and the way to the other pages. */
export function TableFooter({
  table: { data, view, setView, readAhead },
  rowRange,
  selectedIds,
  selectionActions,
  onClearSelection,
}: Props) {
  const isLast = !data.hasMore
  const intent = useIntent(readAhead && !isLast ? () => readAhead({ page: view.page + 1 }) : undefined)
  return (
    <nav
      aria-label="Pages of the table"
      // It takes the focus of actions that end with the selection.
      tabIndex={-1}
      className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-1.5"
    >
      <span className="tabular-nums">{rowRange}</span>
      <Suspense>
        {selectedIds.length > 0 && (
          <SelectionActions ids={selectedIds} onClear={onClearSelection}>
            {selectionActions}
          </SelectionActions>
        )}
      </Suspense>
      {data.isFetching && <Progress data={data} />}
      <div className="ml-auto flex items-center gap-1">
        <Select
          aria-label="Rows per page"
          className="mr-2"
          value={view.size}
          onChange={({ target }) => setView({ size: Number(target.value) })}
        >
          {pageSizes.map((size) => (
            <option key={size} value={size}>
              {size} rows
            </option>
          ))}
        </Select>
        <Button
          variant="quiet"
          aria-disabled={view.page === 1}
          onClick={() => {
            if (view.page > 1) setView({ page: 1 })
          }}
        >
          First
        </Button>
        <IconButton
          icon="chevron-left"
          label="Previous page"
          aria-disabled={view.page === 1}
          onClick={() => {
            if (view.page > 1) setView({ page: view.page - 1 })
          }}
        />
        <span className="min-w-12 text-center tabular-nums">Page {view.page}</span>
        <IconButton
          icon="chevron-right"
          label="Next page"
          {...intent}
          aria-disabled={isLast}
          onClick={() => {
            if (!isLast) setView({ page: view.page + 1 })
          }}
        />
      </div>
    </nav>
  )
}

const progressStepMs = 500

/** The progress of a request that takes over half a second, and a button to cancel it. */
function Progress({ data }: { data: TableData<unknown> }) {
  const [elapsedMs, setElapsedMs] = useState(0)
  // Timers are outside React. Before the first step nothing is rendered: the rows come first.
  useEffect(() => {
    const start = performance.now()
    const timer = setInterval(() => setElapsedMs(performance.now() - start), progressStepMs)
    return () => clearInterval(timer)
  }, [])
  if (elapsedMs === 0) return null
  return (
    <span className="flex items-center gap-2 text-quiet tabular-nums">
      {`${formatCount(String(data.isPlaceholder ? 0 : data.readCount))} rows read, ${(elapsedMs / 1000).toFixed(1)} s`}
      <Button variant="quiet" icon="stop" onClick={data.cancel}>
        Cancel
      </Button>
    </span>
  )
}
