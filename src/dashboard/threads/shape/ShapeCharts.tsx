import { formatQuantity } from '../../format/count'
import { memo, type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import { readThreadShape, type ThreadShape } from '../../../contract/thread-shape'
import { useConnection } from '../../client/connection-context'
import { endpointQuery } from '../../client/endpoint-query'
import { formatDuration } from '../../format/duration'
import { ForeignText } from '../../format/ForeignText'
import { toZoneName } from '../../format/interval'
import { usePreferences } from '../../format/preferences'
import { Skeleton } from '../../ui/Skeleton'
import { findOutliers } from './build-grid'
import { DurationsChart, formatPercentiles } from './DurationsChart'
import { StartsChart } from './StartsChart'
import type { OverviewProps } from './overview-props'
import { OverviewFailure } from './OverviewFailure'
import { TurnsChart } from './TurnsChart'
import { useOverviewQuery } from './use-overview-query'

/** When turns started, threads by turns and p99, and how long turns took. Each narrows the list. */
export function ShapeCharts(props: OverviewProps) {
  const { setView, filter, toThreadHref, isTable } = props
  const connection = useConnection()
  const { zone } = usePreferences()
  // The browser takes a millisecond to say it.
  const timeZone = useMemo(() => toZoneName(zone), [zone])
  const input = { project_id: connection.projectId, filter, time_zone: timeZone }
  const { data: shape, error } = useOverviewQuery(endpointQuery(readThreadShape, input, connection), props)
  const outliers = useMemo(() => findOutliers(shape?.threads ?? []), [shape])
  if (!shape && error) return <OverviewFailure error={error} path={readThreadShape.path} />
  return (
    <>
      <Charts shape={shape} after={filter.after_datetime} before={filter.before_datetime} setView={setView} isTable={isTable} />
      <p className="flex min-h-5 flex-wrap gap-x-4 overflow-hidden text-xs text-quiet">
        {outliers.length > 0 && <span>Outliers:</span>}
        {outliers.map(({ thread_id: id, turn_count, p99_turn_duration_ms: p99 }) => (
          <Link key={id} href={toThreadHref(id)} className="max-w-80 truncate hover:text-text">
            <span className="text-accent underline">
              <ForeignText text={id} isOneLine />
            </span>{' '}
            {`${formatQuantity(turn_count, 'turn')}, p99 ${formatDuration(p99)}`}
          </Link>
        ))}
      </p>
    </>
  )
}

type ChartsProps = Pick<OverviewProps, 'setView' | 'isTable'> & {
  shape: ThreadShape | undefined
  after: string | undefined
  before: string | undefined
}

/** Remembered: the page is rendered at each click in its rows, most of which change no chart. */
const Charts = memo(function Charts({ shape, after, before, setView, isTable }: ChartsProps) {
  const bounds = {
    ...(after !== undefined && { after_datetime: after }),
    ...(before !== undefined && { before_datetime: before }),
  }
  return (
    <div className="thread-charts">
      <Figure title="Starts" aside={shape && formatQuantity(shape.turn_count, 'turn')}>
        {shape && <StartsChart shape={shape} bounds={bounds} setView={setView} isTable={isTable} />}
      </Figure>
      <Figure title="Turns against p99" aside={shape && describeThreads(shape)}>
        {shape && <TurnsChart shape={shape} setView={setView} isTable={isTable} />}
      </Figure>
      <Figure
        title="Durations"
        aside={shape && `${formatPercentiles(shape)}, ${formatQuantity(shape.finished_turn_count, 'finished turn')}`}
      >
        {shape && <DurationsChart shape={shape} setView={setView} isTable={isTable} />}
      </Figure>
    </div>
  )
})

function describeThreads({ thread_count: count, threads: cells }: ThreadShape): string {
  // A few threads are dots. Many fill a box, in a stronger color the more they are.
  const hasBoxes = cells.some(({ threads }) => threads.length === 0)
  return `${formatQuantity(count, 'thread')}${hasBoxes ? ', strong color: many' : ''}`
}

/** As high before its content is there as after. */
function Figure({ title, aside, children }: { title: string; aside: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <div className="flex items-baseline gap-2 whitespace-nowrap">
        <h2 className="font-semibold">{title}</h2>
        <span className="truncate text-xs text-quiet tabular-nums">{aside}</span>
      </div>
      <div className="thread-chart">{children ?? <Skeleton className="block! h-full w-full" />}</div>
    </div>
  )
}
