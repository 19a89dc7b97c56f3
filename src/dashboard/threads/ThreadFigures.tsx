import type { ReceivedThread } from '../../contract/received-threads'
import { formatCount, formatQuantity } from '../format/count'
import { formatFullDuration } from '../format/duration'
import { ForeignText } from '../format/ForeignText'
import type { TimeZone } from '../format/instant'
import { formatRatio } from '../format/money'
import { Time } from '../format/Time'
import { Facts, PanelSection } from '../table/grid/RowPanel'
import { CopyButton } from '../ui/CopyButton'
import { describeFewP99, fewTurnsLimit } from './turns/few-turns'
import { getElapsedMs, getP99ToP50Ratio } from './thread-columns'

/** `now`: when the figures arrived, milliseconds. */
type Display = { zone: TimeZone; now: number }

/** The figures of a thread. */
export function ThreadFigures({ thread, display }: { thread: ReceivedThread; display: Display }) {
  const { p50_turn_duration_ms: p50, p99_turn_duration_ms: p99 } = thread
  const spread = getP99ToP50Ratio(thread)
  return (
    <PanelSection title="Figures">
      <Facts
        facts={[
          { name: 'Turns', value: thread.turn_count === null ? '—' : formatCount(String(thread.turn_count)) },
          { name: 'Start', value: <KnownTime iso={thread.start_time} display={display} /> },
          { name: 'Last updated', value: <KnownTime iso={thread.last_updated} display={display} /> },
          { name: 'Elapsed', value: duration(getElapsedMs(thread)) },
          { name: 'p50 turn duration', value: duration(p50) },
          { name: 'p99 turn duration', value: duration(p99) },
          { name: 'p99 / p50', value: spread === undefined ? '—' : formatRatio(spread) },
        ]}
      />
      {p99 !== null && thread.turn_count !== null && thread.turn_count < fewTurnsLimit && (
        <p className="mt-2 text-quiet">
          {`With ${formatQuantity(thread.turn_count, 'turn')} the p99 ${describeFewP99(thread.turn_count)}.`}
        </p>
      )}
    </PanelSection>
  )
}

function KnownTime({ iso, display }: { iso: string | null; display: Display }) {
  return iso === null ? '—' : <Time iso={iso} zone={display.zone} now={display.now} />
}

/** The ids of a thread and of its first and last turn, and all that was received of it. */
export function ThreadIdentity({ thread }: { thread: ReceivedThread }) {
  const ids = [
    { name: 'Thread', id: thread.thread_id },
    { name: 'First turn', id: thread.first_turn_id },
    { name: 'Last finished turn', id: thread.last_turn_id },
  ]
  const json = JSON.stringify(thread, null, 2)
  return (
    <PanelSection title="Ids" aside={<CopyButton label="Copy JSON" text={json} />}>
      <dl>
        {ids.map(({ name, id }) => (
          <div key={name} className="flex min-h-8 items-center gap-3">
            <dt className="w-20 shrink-0 text-quiet">{name}</dt>
            <dd className="flex min-w-0 flex-1 items-center gap-3">
              <span className="line-clamp-4 flex-1 font-mono text-xs break-all">
                {id === null ? '—' : <ForeignText text={id} />}
              </span>
              {id !== null && <CopyButton label={`Copy ${name.toLowerCase()} id`} text={id} />}
            </dd>
          </div>
        ))}
      </dl>
    </PanelSection>
  )
}

function duration(milliseconds: number | null): string {
  return milliseconds === null ? 'no finished turn' : formatFullDuration(milliseconds)
}
