import { lazy, Suspense, useEffect, useState } from 'react'
import { formatCount } from '../../format/count'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Select } from '../../ui/Select'
import type { TableData } from '../view/table-data'
import { pageSizes, type TableView } from '../view/url-params'
import type { SetView } from '../view/use-url-state'

const SelectionActions = lazy(() => import('./SelectionActions').then((module) => ({ default: module.SelectionActions })))

type Props = {
  answer: TableData<unknown>
  view: TableView
  setView: SetView<TableView>
  text: string
  selectedIds: readonly string[]
  onClearSelection: () => void
}

/** Where one is in the list, and the way to the other pages. */
export function TableFooter({ answer, view, setView, text, selectedIds, onClearSelection }: Props) {
  const isLast = !answer.hasMore
  return (
    <nav
      aria-label="Pages of the table"
      className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-1.5"
    >
      <span className="tabular-nums">{text}</span>
      {selectedIds.length > 0 && (
        <Suspense>
          <SelectionActions ids={selectedIds} onClear={onClearSelection} />
        </Suspense>
      )}
      {answer.isFetching && <Progress answer={answer} />}
      <div className="ml-auto flex items-center gap-1">
        <label className="mr-2 flex items-center gap-1.5 text-quiet">
          Rows a page
          <Select value={view.size} onChange={({ target }) => setView({ size: Number(target.value) })}>
            {pageSizes.map((size) => (
              <option key={size}>{size}</option>
            ))}
          </Select>
        </label>
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
          aria-disabled={isLast}
          onClick={() => {
            if (!isLast) setView({ page: view.page + 1 })
          }}
        />
      </div>
    </nav>
  )
}

/** How far a slow answer has come, with the way to stop it; quick ones show nothing. */
function Progress({ answer }: { answer: TableData<unknown> }) {
  const [elapsedMs, setElapsedMs] = useState(0)
  // The clock is outside React.
  useEffect(() => {
    const start = performance.now()
    const timer = setInterval(() => setElapsedMs(performance.now() - start), 100)
    return () => clearInterval(timer)
  }, [])
  if (elapsedMs < 500) return null
  return (
    <span className="flex items-center gap-2 text-quiet tabular-nums">
      {`${formatCount(String(answer.isPrevious ? 0 : answer.readCount))} rows read, ${(elapsedMs / 1000).toFixed(1)} s`}
      <Button variant="quiet" icon="stop" onClick={answer.cancel}>
        Cancel
      </Button>
    </span>
  )
}
