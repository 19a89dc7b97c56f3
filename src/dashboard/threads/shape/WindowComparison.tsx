import { formatQuantity } from '../../format/count'
import { streamThreadHistory, type TurnsOfInterval } from '../../../contract/thread-shape'
import { useConnection } from '../../client/connection-context'
import { streamQuery } from '../../client/stream-query'
import { formatTime, formatZone, type TimeZone } from '../../format/instant'
import { toInclusiveStart } from '../../format/interval'
import { usePreferences } from '../../format/preferences'
import { Icon } from '../../ui/Icon'
import { Skeleton } from '../../ui/Skeleton'
import { describeFewP99, fewTurnsLimit } from '../turns/few-turns'
import { type ComparedFigure, compareFigures } from './compare-figures'
import { type Bounds, splitWindow } from './narrow-window'
import type { OverviewProps } from './overview-props'
import { OverviewFailure } from './OverviewFailure'
import { useOverviewQuery } from './use-overview-query'

type Props = Pick<OverviewProps, 'view' | 'filter' | 'areRowsComing'>

/** The turns before a moment and from it on, side by side. */
export function WindowComparison(props: Props) {
  const { view, filter } = props
  const { zone } = usePreferences()
  const [beforeFilter, afterFilter] = splitWindow(filter, view.split || '1970-01-01T00:00:00Z', view.span)
  const before = useTotals(beforeFilter, props)
  const after = useTotals(afterFilter, props)
  if (view.split === '') {
    return (
      <p className="self-center text-quiet">
        Click an interval, or choose a moment by “Before and after”, to compare the turns before it with those after: did a
        release make them slower?
      </p>
    )
  }
  const error = before.error ?? after.error
  const [totals, laterTotals] = [before.data?.rows[0], after.data?.rows[0]]
  if (error && !(totals && laterTotals)) return <OverviewFailure error={error} path={streamThreadHistory.path} />
  if (!totals || !laterTotals) return <Skeleton className="block! h-full w-full" />
  const sides = [
    { name: 'Before', totals, filter: beforeFilter },
    { name: 'After', totals: laterTotals, filter: afterFilter },
  ]
  return (
    <div className="min-w-0">
      <table aria-label="Before and after" className="comparison-table">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Figure</span>
            </th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {compareFigures(totals, laterTotals, view.span !== 'all').map((figure) => (
            <tr key={figure.name}>
              <th scope="row">{figure.name}</th>
              <td>{figure.before}</td>
              <td>{figure.after}</td>
              <td>
                <Change figure={figure} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {sides.map((side) => (
        <p key={side.name} className="text-xs text-quiet">
          {`${side.name}: ${formatQuantity(side.totals.finished_turn_count, 'finished turn')}, ${formatBounds(side.filter, zone)}.`}
          <FewTurns totals={side.totals} />
        </p>
      ))}
    </div>
  )
}

function useTotals(filter: Props['filter'], props: Props) {
  const connection = useConnection()
  const input = { project_id: connection.projectId, filter, include_errors: true }
  return useOverviewQuery({ ...streamQuery(streamThreadHistory, input, connection), enabled: props.view.split !== '' }, props)
}

function Change({ figure: { change, verdict } }: { figure: ComparedFigure }) {
  if (verdict === undefined) return change
  return (
    <span className={verdict === 'slower' ? 'font-semibold text-bad' : 'text-good'}>
      <span className="inline-flex items-center gap-1 whitespace-nowrap">
        <Icon name={verdict === 'slower' ? 'arrow-up' : 'arrow-down'} className="size-3" />
        {change}
      </span>{' '}
      {verdict}
    </span>
  )
}

function FewTurns({ totals: { finished_turn_count: count } }: { totals: TurnsOfInterval }) {
  if (count >= fewTurnsLimit) return null
  return (
    <span className="text-warn">
      {' '}
      <Icon name="warning" className="inline size-3" />
      {count === 0 ? ' Nothing to compare.' : ` Too few for a p99: it ${describeFewP99(count)}.`}
    </span>
  )
}

function formatBounds({ after_datetime: after, before_datetime: before }: Bounds, zone: TimeZone): string {
  const toText = (iso: string) => formatTime(iso, zone).replace(/:00$/, '')
  const from = after === undefined ? 'from the first turn' : `from ${toText(toInclusiveStart(after) ?? after)}`
  const zoneName = formatZone(zone, after ?? before)
  return before === undefined ? `${from} ${zoneName} on` : `${from} to ${toText(before)} ${zoneName}`
}
