import { useState } from 'react'
import { Button } from '../../ui/Button'
import { moreIcons } from '../../ui/more-icons'
import { Segmented } from '../../ui/Segmented'
import type { OverviewProps } from './overview-props'
import { HistoryTools, ThreadHistory } from './ThreadHistory'
import { ShapeCharts } from './ShapeCharts'

type Props = Omit<OverviewProps, 'isTable'> & { isOpen: boolean; onToggle: () => void }

const views = [
  { value: 'shape', label: 'Shape' },
  { value: 'history', label: 'Over time' },
] as const

/** Above the rows: how the threads of the list are distributed, and how their turns went over time. */
export function ThreadOverview({ isOpen, onToggle, ...props }: Props) {
  const { view, setView } = props
  const [isTable, setIsTable] = useState(false)
  return (
    <section aria-label="Overview" className="thread-overview" data-open={isOpen ? view.show : undefined}>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 pb-1">
        <Button
          variant="quiet"
          icon={isOpen ? 'chevron-down' : 'chevron-right'}
          aria-expanded={isOpen}
          onClick={onToggle}
          className="-ml-2"
        >
          Overview
        </Button>
        {isOpen && (
          <>
            <Segmented label="Overview" value={view.show} options={views} onChange={(show) => setView({ show })} />
            {view.show === 'history' && <HistoryTools view={view} setView={setView} />}
            <Button
              variant="quiet"
              icon={moreIcons.columns}
              aria-pressed={isTable}
              onClick={() => setIsTable(!isTable)}
              className="ml-auto"
            >
              As a table
            </Button>
          </>
        )}
      </div>
      {isOpen &&
        (view.show === 'shape' ? <ShapeCharts {...props} isTable={isTable} /> : <ThreadHistory {...props} isTable={isTable} />)}
    </section>
  )
}
