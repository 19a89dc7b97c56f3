import { useQuery } from '@tanstack/react-query'
import { type ReceivedThread, receiveThreads } from '../../contract/received-threads'
import { useConnection } from '../client/connection-context'
import { streamQuery } from '../client/stream-query'
import { formatCount } from '../format/count'
import { formatExactDuration, formatDuration } from '../format/duration'
import { formatRatio } from '../format/money'
import { Time } from '../format/Time'
import { Facts, PanelSection, RowPanel } from '../table/grid/RowPanel'
import type { PanelControls } from '../table/grid/use-row-navigation'
import { CopyButton } from '../ui/CopyButton'
import { DurationCell, fewTurnsLimit } from './DurationCell'
import { PercentileBar } from './PercentileBar'
import { findNeighbors, rankThread } from './thread-ranking'
import { getElapsedMs, getP99ToP50Ratio, type ThreadDisplay } from './thread-columns'
import { ForeignText } from '../format/ForeignText'

type Props = {
  /** Undefined where the thread is not among the rows of this page. */
  rowOnPage: ReceivedThread | undefined
  id: string
  controls: PanelControls
  /** The threads of the page, in the table's order. */
  rows: readonly ReceivedThread[]
  display: ThreadDisplay
  onOpen: (id: string) => void
}

/** One thread: its figures, its ids, and its rank among the threads on screen. */
export function ThreadPanel({ rowOnPage, id, controls, rows, display, onOpen }: Props) {
  const connection = useConnection()
  // A link may name a thread of another page; it is then read without the view's time window.
  const otherPage = useQuery({
    ...streamQuery(receiveThreads, { project_id: connection.projectId, filter: { thread_ids: [id] } }, connection),
    enabled: !rowOnPage,
  })
  // A service may ignore the filter: then it sends other threads.
  const thread = rowOnPage ?? otherPage.data?.rows.find(({ thread_id }) => thread_id === id)
  return (
    <RowPanel kind="Thread" title={<ForeignText text={id} />} id={id} controls={controls}>
      {!rowOnPage && (
        <p className="border-b border-line px-4 py-3 text-quiet">
          {otherPage.isPending
            ? 'Looking for this thread…'
            : thread
              ? 'This thread is not on this page of the table. These are the figures of all its turns.'
              : otherPage.error
                ? `This thread could not be looked up. ${otherPage.error.message}`
                : otherPage.data?.isComplete
                  ? 'There is no such thread.'
                  : 'Looking for this thread…'}
        </p>
      )}
      {thread && <Figures thread={thread} display={display} />}
      {rowOnPage && <Rank thread={rowOnPage} rows={rows} />}
      {rowOnPage && <Neighbors thread={rowOnPage} rows={rows} display={display} onOpen={onOpen} />}
      {thread && <Ids thread={thread} />}
    </RowPanel>
  )
}

function Figures({ thread, display }: { thread: ReceivedThread; display: ThreadDisplay }) {
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
          {`With ${thread.turn_count} ${thread.turn_count === 1 ? 'turn' : 'turns'} the p99 is close to the slowest turn.`}
        </p>
      )}
    </PanelSection>
  )
}

function KnownTime({ iso, display }: { iso: string | null; display: ThreadDisplay }) {
  return iso === null ? '—' : <Time iso={iso} zone={display.zone} now={display.now} />
}

function Rank({ thread, rows }: { thread: ReceivedThread; rows: readonly ReceivedThread[] }) {
  const ranks = [
    { name: 'by p99, slowest first', position: rankThread(thread, rows, (each) => each.p99_turn_duration_ms) },
    { name: 'by p50, slowest first', position: rankThread(thread, rows, (each) => each.p50_turn_duration_ms) },
    { name: 'by turns, highest first', position: rankThread(thread, rows, (each) => each.turn_count) },
    {
      name: 'by last update, newest first',
      position: rankThread(thread, rows, ({ last_updated: at }) => (at === null ? null : Date.parse(at))),
    },
  ]
  return (
    <PanelSection title="Rank" aside={<span className="text-xs text-quiet">{`among the ${rows.length} threads on screen`}</span>}>
      <Facts
        facts={ranks.map(({ name, position }) => ({
          name,
          value: position === undefined ? '—' : `${position.rank} of ${position.count}`,
        }))}
      />
    </PanelSection>
  )
}

type NeighborsProps = Pick<Props, 'rows' | 'display' | 'onOpen'> & { thread: ReceivedThread }

function Neighbors({ thread, rows, display, onOpen }: NeighborsProps) {
  return (
    <PanelSection title="Neighbors" aside={<span className="text-xs text-quiet">in the table's order, p99</span>}>
      <ul className="-mx-4">
        {findNeighbors(thread, rows).map((neighbor) => {
          const isOwn = neighbor.thread_id === thread.thread_id
          return (
            <li
              key={neighbor.thread_id}
              className={`grid grid-cols-[minmax(0,1fr)_160px] items-center gap-3 px-4 py-1 ${isOwn ? 'bg-selected' : 'hover:bg-hover'}`}
            >
              {isOwn ? (
                <span aria-current="true" className="truncate">
                  <ForeignText text={neighbor.thread_id} isOneLine />
                </span>
              ) : (
                <button type="button" className="cursor-pointer truncate text-left" onClick={() => onOpen(neighbor.thread_id)}>
                  <ForeignText text={neighbor.thread_id} isOneLine />
                </button>
              )}
              <DurationCell milliseconds={neighbor.p99_turn_duration_ms} slowMs={display.slowMs}>
                <PercentileBar
                  p50={neighbor.p50_turn_duration_ms}
                  p99={neighbor.p99_turn_duration_ms ?? 0}
                  scaleMs={display.scaleMs}
                />
              </DurationCell>
            </li>
          )
        })}
      </ul>
    </PanelSection>
  )
}

function Ids({ thread }: { thread: ReceivedThread }) {
  const ids = [
    { name: 'Thread', id: thread.thread_id },
    { name: 'First turn', id: thread.first_turn_id },
    { name: 'Last turn', id: thread.last_turn_id },
  ]
  const json = JSON.stringify(thread, null, 2)
  return (
    <PanelSection title="Ids" aside={<CopyButton label="Copy JSON" text={json} />}>
      <dl>
        {ids.map(({ name, id }) => (
          <div key={name} className="flex min-h-8 items-center gap-3">
            <dt className="w-20 shrink-0 text-quiet">{name}</dt>
            <dd className="flex min-w-0 flex-1 items-center gap-3">
              <span className="flex-1 font-mono text-xs break-all">{id === null ? '—' : <ForeignText text={id} />}</span>
              {id !== null && <CopyButton label={`Copy ${name.toLowerCase()} id`} text={id} />}
            </dd>
          </div>
        ))}
      </dl>
    </PanelSection>
  )
}

function duration(milliseconds: number | null): string {
  if (milliseconds === null) return 'no finished turn'
  return milliseconds < 1000
    ? formatExactDuration(milliseconds)
    : `${formatDuration(milliseconds)} (${formatExactDuration(milliseconds)})`
}
