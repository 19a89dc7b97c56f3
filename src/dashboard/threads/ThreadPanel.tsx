import type { ReceivedThread } from '../../contract/received-threads'
import { ForeignText } from '../format/ForeignText'
import { Facts, PanelSection, RowPanel } from '../table/grid/RowPanel'
import type { PanelControls } from '../table/grid/use-row-navigation'
import { DurationCell } from './DurationCell'
import { MatchingCalls, useMatchingCalls } from './MatchingCalls'
import { PercentileBar } from './PercentileBar'
import type { ThreadDisplay } from './thread-columns'
import { findNeighbors, rankThread } from './thread-ranking'
import { ThreadExport } from './export/ThreadExport'
import { ThreadFigures, ThreadIdentity } from './ThreadFigures'
import { ThreadView } from './turns/ThreadView'
import type { TurnWindow } from './turns/turn-marks'
import { formatThreadProblem, useThread } from './use-thread'

type Props = {
  /** Undefined where the thread is not among the rows of this page. */
  rowOnPage: ReceivedThread | undefined
  id: string
  controls: PanelControls
  /** The threads of the page, in the table's order. */
  rows: readonly ReceivedThread[]
  display: ThreadDisplay
  /** The figures on this page of the table cover only turns that started in here. */
  turnWindow: TurnWindow | undefined
  /** Which threads the table shows. */
  filter: Parameters<typeof useMatchingCalls>[1]
  /** The list follows what changes, and so does the thread. */
  isLive: boolean
  onOpen: (id: string) => void
}

/** One thread: its turns, its figures, its ids, and its rank among the threads on screen. */
export function ThreadPanel(props: Props) {
  const { id, controls } = props
  return (
    <RowPanel kind="Thread" title={<ForeignText text={id} />} id={id} controls={controls}>
      <PanelContent key={id} {...props} />
    </RowPanel>
  )
}

function PanelContent({ rowOnPage, id, rows, display, turnWindow, filter, isLive, onOpen }: Props) {
  // A link may name a thread of another page; it is then read without the view's time range.
  const found = useThread(id, rowOnPage !== undefined)
  const thread = rowOnPage ?? found.thread
  const problem = rowOnPage ? undefined : found.problem
  const matching = useMatchingCalls(id, filter, rowOnPage !== undefined)
  return (
    <div className="flex h-full min-h-0 flex-col">
      {!rowOnPage && (
        <p className="border-b border-line px-4 py-3 text-quiet">
          {problem
            ? formatThreadProblem(problem)
            : 'This thread is not on this page of the table. These are the figures of all its turns.'}
        </p>
      )}
      {matching && <MatchingCalls threadId={id} matching={matching} />}
      {problem !== 'missing' && (
        <ThreadView
          threadId={id}
          window={rowOnPage && turnWindow}
          matches={matching?.turns}
          isLive={isLive}
          renderTools={(turns, isComplete) => <ThreadExport threadId={id} turns={turns} hasAllTurns={isComplete} />}
          figures={
            <>
              {thread && <ThreadFigures thread={thread} display={display} />}
              {rowOnPage && <Rank thread={rowOnPage} rows={rows} />}
              {rowOnPage && <Neighbors thread={rowOnPage} rows={rows} display={display} onOpen={onOpen} />}
              {thread && <ThreadIdentity thread={thread} />}
            </>
          }
        />
      )}
    </div>
  )
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
