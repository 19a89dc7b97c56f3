import type { ReactNode } from 'react'
import type { ReceivedThread } from '../../contract/received-threads'
import { formatCurrency } from '../format/amount'
import { formatCount } from '../format/count'
import { formatExactDuration, formatDuration } from '../format/duration'
import { formatElapsed } from '../format/relative-time'
import { formatExactTime, type TimeZone, formatZone } from '../format/instant'
import { formatRatio } from '../format/money'
import { Time } from '../format/Time'
import type { Column } from '../table/column'
import { currencyColumn, formatExportedSums } from '../table/money-columns'
import { ChangeMark } from './visit/ChangeMark'
import { DurationCell, FewTurns, NoDuration } from './DurationCell'
import type { Change } from './visit/last-visit'
import { PercentileBar } from './PercentileBar'
import { NotReadYet, type CallFigures, countTokens, measureCost, ThreadCost, ThreadErrors, ThreadTokens } from './UsageCell'
import { ForeignText } from '../format/ForeignText'

/** A row: with what is known of its calls where the list was found by them. */
export type ListedThread = ReceivedThread & Partial<CallFigures>

export type ThreadDisplay = {
  zone: TimeZone
  /** When the rows arrived, milliseconds: "ago" counts from here. */
  now: number
  /** The duration of a full bar; 0 where all bars would be the same. */
  scaleMs: number
  /** Durations of at least this are shown as slow; 0 shows none. */
  slowMs: number
  /** The same for p50. */
  slowP50Ms: number
  /** Only the turns of a time window count. */
  isTimeFiltered: boolean
  /** What is known of the calls of threads, by thread id. Undefined while it is not. */
  figures: ReadonlyMap<string, CallFigures> | undefined
  /** The calls of every row were looked up. */
  areFiguresRead: boolean
  /** Why that could not be done at the last attempt. */
  figuresError: Error | null
  /** What began or changed since the person's last visit, by thread id. */
  changes: ReadonlyMap<string, Change>
  /** The one currency of all costs on screen. */
  currency: string | undefined
}

const notGiven = <span className="text-faint">—</span>

const zoneUnit = ({ zone }: ThreadDisplay) => (zone === 'utc' ? 'UTC' : formatZone('local'))

const mainColumns: readonly Column<ListedThread, ThreadDisplay>[] = [
  {
    id: 'thread_id',
    label: 'Thread',
    width: 170,
    cell: ({ thread_id }) => <ForeignText text={thread_id} isOneLine />,
    exportValue: ({ thread_id }) => thread_id,
  },
  {
    id: 'turn_count',
    label: 'Turns',
    description: 'Running turns count too.',
    width: 84,
    align: 'end',
    cell: ({ turn_count }) => (turn_count === null ? notGiven : formatCount(String(turn_count))),
    exportValue: ({ turn_count }) => turn_count,
  },
  {
    id: 'p50_turn_duration_ms',
    label: 'p50',
    description: 'Half of the finished turns took at most this long.',
    unit: () => 'per turn',
    width: ({ slowP50Ms }) => (slowP50Ms > 0 ? 113 : 97),
    align: 'end',
    cell: ({ p50_turn_duration_ms }, { slowP50Ms }) => <DurationCell milliseconds={p50_turn_duration_ms} slowMs={slowP50Ms} />,
    exportValue: ({ p50_turn_duration_ms }) => p50_turn_duration_ms,
    exportUnit: 'ms',
  },
  {
    id: 'p99_turn_duration_ms',
    label: 'p99',
    description:
      'The 99th percentile of the finished turns, interpolated between two turns where they are few. The bar is the p99, the line on it the p50.',
    unit: () => 'per turn',
    // The bar, 'of 9 turns' and '59.99 s' or '59 min 59 s', with a sign where that is slow: none is cut.
    width: ({ slowMs, scaleMs }) => (slowMs > 0 ? 213 : 197) + (scaleMs < 60_000 ? 0 : 20),
    align: 'end',
    cell: ({ p50_turn_duration_ms: p50, p99_turn_duration_ms: p99, turn_count }, { scaleMs, slowMs }) => (
      <DurationCell milliseconds={p99} slowMs={slowMs}>
        <PercentileBar p50={p50} p99={p99 ?? 0} scaleMs={scaleMs} />
        <FewTurns count={turn_count} />
      </DurationCell>
    ),
    exportValue: ({ p99_turn_duration_ms }) => p99_turn_duration_ms,
    exportUnit: 'ms',
  },
  {
    id: 'last_updated',
    label: 'Last updated',
    description: 'When the last finished turn ended; while none has, when the last one started.',
    width: 146,
    cell: ({ last_updated, thread_id }, { now, changes }) =>
      last_updated === null ? (
        notGiven
      ) : (
        <>
          <time dateTime={last_updated} title={formatExactTime(last_updated)}>
            {formatElapsed(last_updated, now)}
          </time>
          {changes.has(thread_id) && ' '}
          <ChangeMark change={changes.get(thread_id)} />
        </>
      ),
    exportValue: ({ last_updated }) => last_updated,
    exportUnit: 'UTC',
  },
]

/** The cell of a figure of calls. */
function ofCalls(render: (figures: CallFigures | undefined, display: ThreadDisplay) => ReactNode) {
  return ({ thread_id }: ListedThread, display: ThreadDisplay) => {
    const figures = display.figures?.get(thread_id)
    return figures || display.areFiguresRead ? render(figures, display) : <NotReadYet error={display.figuresError} />
  }
}

/** Only where the service knows the calls of threads. */
const callColumns: readonly Column<ListedThread, ThreadDisplay>[] = [
  {
    id: 'error_count',
    label: 'Errors',
    description: 'Calls that failed themselves: turns, and calls below them.',
    width: 84,
    align: 'end',
    cell: ofCalls((figures) => <ThreadErrors figures={figures} />),
    exportValue: (thread, display) => getFigures(thread, display)?.error_count ?? null,
  },
  {
    id: 'total_cost',
    label: 'Cost',
    description: 'What the calls of the turns cost. Calls without a known price are not included.',
    unit: ({ currency }) => currency && formatCurrency(currency),
    width: ({ figures, currency }) =>
      Math.max(
        112,
        measureFigures(figures, (each) => measureCost(each, currency)),
      ),
    align: 'end',
    cell: ofCalls((figures, { currency }) => <ThreadCost figures={figures} currency={currency} />),
    exportValue: (thread, display) => formatExportedSums(getFigures(thread, display)?.costs),
  },
  {
    id: 'total_tokens',
    label: 'Tokens',
    description: 'Prompt and completion tokens of the turns.',
    width: ({ figures }) =>
      Math.max(
        104,
        measureFigures(figures, (each) => formatCount(String(countTokens(each) ?? 0)).length),
      ),
    align: 'end',
    cell: ofCalls((figures) => <ThreadTokens figures={figures} />),
    exportValue: (thread, display) => countTokens(getFigures(thread, display)),
  },
  currencyColumn((thread, display) => getFigures(thread, display)?.costs),
]

// Pixels: a digit of the usual fonts at 13 px, the padding of a cell.
const digitWidth = 8.4
const paddingWidth = 22

/** Pixels for the longest of these: a figure that is cut would be another figure. */
function measureFigures(figures: ThreadDisplay['figures'], measure: (figures: CallFigures) => number): number {
  const lengths = [...(figures?.values() ?? [])].map(measure)
  return Math.ceil(Math.max(0, ...lengths) * digitWidth) + paddingWidth
}

/** Rows of other pages, which an export has too, bring their figures along or have none. */
function getFigures(thread: ListedThread, { figures }: ThreadDisplay): CallFigures | undefined {
  return hasFigures(thread) ? thread : figures?.get(thread.thread_id)
}

export function hasFigures(thread: ListedThread): thread is ReceivedThread & CallFigures {
  return thread.error_count !== undefined
}

const moreColumns: readonly Column<ListedThread, ThreadDisplay>[] = [
  {
    id: 'start_time',
    label: 'Start',
    description: 'When the first turn started.',
    unit: zoneUnit,
    width: 160,
    isHiddenByDefault: true,
    cell: ({ start_time }, { zone }) => (start_time === null ? notGiven : <Time iso={start_time} zone={zone} />),
    exportValue: ({ start_time }) => start_time,
    exportUnit: 'UTC',
  },
  {
    id: 'elapsed',
    label: 'Elapsed',
    description: 'From start to last updated.',
    width: 92,
    align: 'end',
    isHiddenByDefault: true,
    cell: (thread) => <Elapsed milliseconds={getElapsedMs(thread)} />,
    exportValue: getElapsedMs,
    exportUnit: 'ms',
  },
  {
    id: 'spread',
    label: 'p99 / p50',
    description: 'How much slower the slowest turns are than the median turn.',
    width: 88,
    align: 'end',
    isHiddenByDefault: true,
    cell: (thread) => {
      const spread = getP99ToP50Ratio(thread)
      return <span className="text-quiet">{spread === undefined ? '—' : formatRatio(spread)}</span>
    },
    exportValue: (thread) => getP99ToP50Ratio(thread) ?? null,
  },
  {
    id: 'first_turn_id',
    label: 'First turn',
    width: 290,
    isHiddenByDefault: true,
    cell: ({ first_turn_id }) => <TurnId id={first_turn_id} />,
    exportValue: ({ first_turn_id }) => first_turn_id,
  },
  {
    id: 'last_turn_id',
    label: 'Last finished turn',
    description: 'The turn that ended last.',
    width: 290,
    isHiddenByDefault: true,
    cell: ({ last_turn_id }) => <TurnId id={last_turn_id} />,
    exportValue: ({ last_turn_id }) => last_turn_id,
  },
]

export const threadColumns = [...mainColumns, ...moreColumns]
/** The figures of calls come with the rows. */
export const foundThreadColumns = [...mainColumns, ...callColumns, ...moreColumns]
/** They are read for the rows on screen. */
export const threadColumnsWithCalls = [
  ...mainColumns,
  ...callColumns.map((column) => Object.assign({}, column, { isOnPageOnly: true })),
  ...moreColumns,
]

/** Null while no turn has finished, because the time between two starts is not a duration, and where a time is unknown. */
export function getElapsedMs(thread: ReceivedThread): number | null {
  const { start_time: start, last_updated: end } = thread
  // Services with only the required fields do not name the last turn.
  const hasFinishedTurn = thread.last_turn_id !== null || thread.p50_turn_duration_ms !== null
  return hasFinishedTurn && start !== null && end !== null ? Math.max(0, Date.parse(end) - Date.parse(start)) : null
}

function Elapsed({ milliseconds }: { milliseconds: number | null }) {
  return milliseconds === null ? (
    <NoDuration />
  ) : (
    <span title={formatExactDuration(milliseconds)}>{formatDuration(milliseconds)}</span>
  )
}

export function getP99ToP50Ratio({ p50_turn_duration_ms: p50, p99_turn_duration_ms: p99 }: ReceivedThread): number | undefined {
  return p50 === null || p99 === null || p50 === 0 ? undefined : p99 / p50
}

function TurnId({ id }: { id: string | null }) {
  return id === null ? (
    notGiven
  ) : (
    <span className="font-mono text-xs text-quiet">
      <ForeignText text={id} isOneLine />
    </span>
  )
}
