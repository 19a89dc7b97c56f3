import { useMemo } from 'react'
import { streamThreadHistory, type TurnsOfInterval } from '../../../contract/thread-shape'
import { useConnection } from '../../client/connection-context'
import { lazyPart } from '../../client/lazy-part'
import { streamQuery } from '../../client/stream-query'
import { formatCount, formatQuantity } from '../../format/count'
import { formatDuration } from '../../format/duration'
import { formatTime } from '../../format/instant'
import { formatInterval, formatMs, formatTick, nameInterval, toZoneName } from '../../format/interval'
import { usePreferences } from '../../format/preferences'
import { ChoiceChip } from '../../table/filter/ChoiceChip'
import { FilterChip } from '../../table/filter/FilterChip'
import { ChartTable } from '../../ui/chart/ChartTable'
import { TimeLines } from '../../ui/chart/TimeLines'
import { Skeleton } from '../../ui/Skeleton'
import { fewTurnsLimit } from '../turns/few-turns'
import { formatStep, listDurationTicks } from './format-step'
import { narrowWindow } from './narrow-window'
import type { OverviewProps } from './overview-props'
import { OverviewFailure } from './OverviewFailure'
import { useOverviewQuery } from './use-overview-query'
import { WindowComparison } from './WindowComparison'

// Part of the file of the filters' popovers.
const SplitForm = lazyPart(async () => (await import('./SplitForm')).SplitForm)

const intervals = [
  { value: 'auto', label: 'automatic' },
  { value: 'hour', label: 'hour' },
  { value: 'day', label: 'day' },
  { value: 'week', label: 'week' },
] as const

const sides = [
  { value: 'all', label: 'all of it' },
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
] as const

/** Which intervals, and what is compared. */
export function HistoryTools({ view, setView }: Pick<OverviewProps, 'view' | 'setView'>) {
  const { zone } = usePreferences()
  return (
    <>
      <ChoiceChip label="By" value={view.per} choices={intervals} onChange={(per) => setView({ per })} />
      <FilterChip
        label="Before and after"
        unsetText="Before and after…"
        value={view.split === '' ? undefined : formatTime(view.split, zone).replace(/:00$/, '')}
        isSet={view.split !== ''}
      >
        {(close) => <SplitForm split={view.split} onChange={(split) => setView({ split })} close={close} />}
      </FilterChip>
      {view.split !== '' && (
        <ChoiceChip label="Each side" value={view.span} choices={sides} onChange={(span) => setView({ span })} />
      )}
    </>
  )
}

/** p50 and p99 over time, and two windows compared. */
export function ThreadHistory(props: OverviewProps) {
  const { view, setView, filter, isTable } = props
  const connection = useConnection()
  const { zone } = usePreferences()
  const input = { project_id: connection.projectId, filter, interval: view.per, time_zone: toZoneName(zone) }
  const { data, error } = useOverviewQuery(streamQuery(streamThreadHistory, input, connection), props)
  const rows = data?.rows
  if (error && !rows?.length) return <OverviewFailure error={error} path={streamThreadHistory.path} />
  return (
    <div className="thread-history">
      <div className="min-w-0">
        <div className="flex items-baseline gap-3">
          <h2 className="font-semibold whitespace-nowrap">Turn durations</h2>
          <ul className="flex gap-x-3 text-xs text-quiet" aria-label="Colours">
            {lineNames.map((name, index) => (
              <li key={name}>
                <span aria-hidden="true" className={`series-mark series-${index + 1}`} />
                {name}
              </li>
            ))}
          </ul>
        </div>
        <div className="thread-chart">
          {rows && data.isComplete ? (
            <HistoryChart rows={rows} view={view} setView={setView} filter={filter} isTable={isTable} />
          ) : (
            <Skeleton className="block! h-full w-full" />
          )}
        </div>
      </div>
      <WindowComparison {...props} />
    </div>
  )
}

const lineNames = ['p50', 'p99'] as const

type ChartProps = Omit<OverviewProps, 'toThreadHref' | 'areRowsComing'> & { rows: readonly TurnsOfInterval[] }

function HistoryChart({ rows, view, setView, filter, isTable }: ChartProps) {
  const { zone } = usePreferences()
  const { split } = view
  const drawn = useMemo(() => {
    const spans = rows.map(({ interval = '', interval_end = '' }) => ({
      from: Date.parse(interval),
      to: Date.parse(interval_end),
    }))
    const name = nameInterval(spans[0]?.from ?? 0, spans[0]?.to ?? 0)
    return {
      name,
      spans,
      ticks: spans.map(({ from }) => formatTick(from, name, zone)),
      lines: [
        { className: 'series-1', values: rows.map(({ p50_turn_duration_ms }) => p50_turn_duration_ms) },
        { className: 'series-2', values: rows.map(({ p99_turn_duration_ms }) => p99_turn_duration_ms) },
      ],
    }
  }, [rows, zone])
  const { name, spans } = drawn
  const marks = useMemo(() => {
    const at = Date.parse(split)
    const index = spans.findIndex(({ from, to }) => at >= from && at < to)
    const span = spans[index]
    return span ? [{ at: (index + (at - span.from) / (span.to - span.from)) / spans.length, label: 'after' }] : []
  }, [spans, split])
  if (rows.length === 0) return <p className="text-quiet">No turn.</p>

  const label = `p50 and p99 by ${name}`
  const toName = (index: number) => formatInterval(spans[index]?.from ?? 0, name, zone)
  const toValues = (row: TurnsOfInterval | undefined) => ({
    p50: formatNullable(row?.p50_turn_duration_ms ?? null),
    p99: formatNullable(row?.p99_turn_duration_ms ?? null),
    turns: formatCount(String(row?.turn_count ?? 0)),
    threads: formatCount(String(row?.thread_count ?? 0)),
  })
  const describe = (first: number, last: number) => {
    if (first !== last) return `${toName(first)} to ${toName(last)}`
    const row = rows[first]
    const { p50, p99 } = toValues(row)
    const few = row && row.finished_turn_count < fewTurnsLimit ? ', too few for a p99' : ''
    return `${toName(first)}: p50 ${p50}, p99 ${p99}, ${formatQuantity(row?.turn_count ?? 0, 'turn')} of ${formatQuantity(row?.thread_count ?? 0, 'thread')}${few}`
  }
  if (isTable) {
    return (
      <ChartTable
        label={label}
        rowLabel={name}
        columns={['p50', 'p99', 'Turns', 'Threads'].map((id) => ({ id, label: id }))}
        rows={rows.map((row, index) => ({ id: index, name: toName(index), values: Object.values(toValues(row)) }))}
      />
    )
  }
  return (
    <TimeLines
      label={label}
      hint={`Arrow keys go from ${name} to ${name}. Enter compares what is before it with what is after; with Shift and arrows, Enter narrows the window.`}
      ticks={drawn.ticks}
      lines={drawn.lines}
      marks={marks}
      listTicks={listDurationTicks}
      formatValue={formatStep}
      describe={describe}
      renderReadout={(first, last) => (
        <>
          <p>{describe(first, last)}</p>
          <p className="text-quiet">{first === last ? 'Click: compare before and after' : 'Release: only these'}</p>
        </>
      )}
      onSelect={(first, last) => {
        const from = spans[first]?.from ?? 0
        setView(first === last ? { split: formatMs(from) } : narrowWindow(filter, from, spans[last]?.to ?? 0))
      }}
    />
  )
}

function formatNullable(milliseconds: number | null): string {
  return milliseconds === null ? '—' : formatDuration(milliseconds)
}
