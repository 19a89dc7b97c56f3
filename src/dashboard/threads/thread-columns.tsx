import type { ReceivedThread } from '../../contract/received-threads'
import { formatCount } from '../format/count'
import { formatExactDuration, formatDuration } from '../format/duration'
import { type TimeZone, formatZone } from '../format/instant'
import { formatRatio } from '../format/money'
import { Time } from '../format/Time'
import type { Column } from '../table/column'
import { DurationCell, NoDuration } from './DurationCell'

export type ThreadDisplay = {
  zone: TimeZone
  /** When the rows arrived, milliseconds: "ago" counts from here. */
  now: number
  /** The duration of a full bar, in both columns. */
  scaleMs: number
  /** Durations of at least this are shown as slow; 0 shows none. */
  slowMs: number
}

const notGiven = <span className="text-faint">—</span>

const zoneUnit = ({ zone }: ThreadDisplay) => (zone === 'utc' ? 'UTC' : formatZone('local'))

export const threadColumns: readonly Column<ReceivedThread, ThreadDisplay>[] = [
  {
    id: 'thread_id',
    label: 'Thread',
    width: 170,
    cell: ({ thread_id }) => <span title={thread_id}>{thread_id}</span>,
    exportValue: ({ thread_id }) => thread_id,
  },
  {
    id: 'turn_count',
    label: 'Turns',
    description: 'Running turns count too.',
    width: 68,
    align: 'end',
    cell: ({ turn_count }) => (turn_count === null ? notGiven : formatCount(String(turn_count))),
    exportValue: ({ turn_count }) => turn_count,
  },
  {
    id: 'start_time',
    label: 'Start',
    description: 'When the first turn started.',
    unit: zoneUnit,
    width: 160,
    cell: ({ start_time }, { zone }) => (start_time === null ? notGiven : <Time iso={start_time} zone={zone} />),
    exportValue: ({ start_time }) => start_time,
    exportUnit: 'UTC',
  },
  {
    id: 'last_updated',
    label: 'Last updated',
    description: 'When the last finished turn ended; while none has, when the last one started.',
    unit: zoneUnit,
    width: 248,
    cell: ({ last_updated }, { zone, now }) =>
      last_updated === null ? notGiven : <Time iso={last_updated} zone={zone} now={now} />,
    exportValue: ({ last_updated }) => last_updated,
    exportUnit: 'UTC',
  },
  {
    id: 'elapsed',
    label: 'Elapsed',
    description: 'From start to last updated.',
    width: 92,
    align: 'end',
    cell: (thread) => <Elapsed milliseconds={getElapsedMs(thread)} />,
    exportValue: getElapsedMs,
    exportUnit: 'ms',
  },
  {
    id: 'p50_turn_duration_ms',
    label: 'p50',
    description: 'Half of the finished turns took at most this long.',
    unit: () => 'turn duration',
    width: 136,
    align: 'end',
    cell: ({ p50_turn_duration_ms }, display) => (
      <DurationCell milliseconds={p50_turn_duration_ms} percentile="p50" display={display} />
    ),
    exportValue: ({ p50_turn_duration_ms }) => p50_turn_duration_ms,
    exportUnit: 'ms',
  },
  {
    id: 'p99_turn_duration_ms',
    label: 'p99',
    description: '99 % of the finished turns took at most this long.',
    unit: () => 'turn duration',
    width: 180,
    align: 'end',
    cell: ({ p99_turn_duration_ms, turn_count }, display) => (
      <DurationCell milliseconds={p99_turn_duration_ms} percentile="p99" display={display} turnCount={turn_count ?? Infinity} />
    ),
    exportValue: ({ p99_turn_duration_ms }) => p99_turn_duration_ms,
    exportUnit: 'ms',
  },
  {
    id: 'spread',
    label: 'p99 / p50',
    description: 'How much slower the slowest turns are than the median turn.',
    width: 88,
    align: 'end',
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
    label: 'Last turn',
    description: 'The turn that ended last.',
    width: 290,
    isHiddenByDefault: true,
    cell: ({ last_turn_id }) => <TurnId id={last_turn_id} />,
    exportValue: ({ last_turn_id }) => last_turn_id,
  },
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
  return id === null ? notGiven : <span className="font-mono text-xs text-quiet">{id}</span>
}
