import { memo } from 'react'
import { ForeignText } from '../../format/ForeignText'
import { formatTime, type TimeZone } from '../../format/instant'
import { ChangeMark } from '../visit/ChangeMark'
import type { Change } from '../visit/last-visit'
import { formatPause } from './format-pause'
import type { Pause } from './list-pauses'
import type { ThreadTurn } from './thread-turn'
import type { ThreadAxis } from './thread-axis'
import { TurnCost, TurnDuration, TurnModels, TurnTokens } from './TurnFigures'
import type { MarkName } from './turn-marks'
import { PickBox } from '../pick/PickBox'
import { TurnFailureText } from './TurnFailureText'
import { TurnStatus } from './TurnStatus'

export const pauseHeight = 24
/** In a narrow place the figures take two lines: the second is for the tokens and the cost. */
export const rowHeights = { normal: 58, narrow: 74 } as const
/** The line that says why a turn failed. */
export const failureHeight = 18

type Props = {
  turn: ThreadTurn
  index: number
  count: number
  pause: Pause | undefined
  top: number
  height: number
  isNarrow: boolean
  marks: readonly MarkName[] | undefined
  /** What happened since the last visit. */
  change: Change | undefined
  /** What people answered for the turn: undefined where nobody has judged it. */
  answers: string | undefined
  /** That it has what the filter of the list looks for, in words. */
  match: string | undefined
  axis: ThreadAxis | undefined
  zone: TimeZone
  /** It started on another day than the turn before. */
  isNewDay: boolean
  isOpen: boolean
  isTabStop: boolean
  /** It does not count in the figures of the thread, which are those of a time range. */
  isOutside: boolean
  onOpen: (index: number) => void
  isPicked: boolean
  /** Undefined where nothing can be done with what is picked. */
  onPick: ((index: number, isRange: boolean) => void) | undefined
}

/** One turn in the list: the pause before it, what it was about, its figures, and its place on the axis of all turns. */
export const TurnRow = memo(function TurnRow(props: Props) {
  const { index, count, pause, top, height, isOpen, isTabStop, isOutside, onOpen, isPicked, onPick } = props
  return (
    <li className="absolute inset-x-0" style={{ top }} aria-setsize={count} aria-posinset={index + 1}>
      {pause && (
        <p className="turn-pause" style={{ height: pauseHeight }}>
          <span aria-hidden="true" />
          {pause.isIdle ? `idle ${formatPause(pause.milliseconds)}` : `${formatPause(pause.milliseconds)} later`}
          <span aria-hidden="true" />
        </p>
      )}
      <div className="relative">
        {onPick && (
          <PickBox
            className="turn-pick"
            label={`Select turn ${index + 1}`}
            isPicked={isPicked}
            onPick={(isRange) => onPick(index, isRange)}
          />
        )}
        <button
          type="button"
          data-turn-index={index}
          tabIndex={isTabStop ? 0 : -1}
          aria-current={isOpen || undefined}
          className={`turn-row ${isOutside ? 'text-faint' : ''}`}
          style={{ height }}
          onClick={() => onOpen(index)}
        >
          <Headline {...props} />
          <Figures {...props} />
          {props.turn.failure?.message && (
            <span className="flex pl-8 text-xs" style={{ lineHeight: `${failureHeight}px` }}>
              <TurnFailureText turn={props.turn} isOneLine />
            </span>
          )}
          <AxisMark {...props} />
        </button>
      </div>
    </li>
  )
})

function Headline({ turn, index, marks, change, answers, match, isNarrow, isOutside }: Props) {
  const { firstWords, name, id } = turn
  return (
    <span className="flex items-center gap-2">
      <span className="w-6 shrink-0 text-right text-xs text-faint">
        <span className="sr-only">Turn </span>
        {index + 1}
        {isOutside && <span className="sr-only"> outside the time range</span>}
      </span>
      <span className="own-line min-w-0 flex-1 truncate">
        <ForeignText text={firstWords ?? name ?? id} />
      </span>
      {!isNarrow && <MatchMark match={match} />}
      <ChangeMark change={change} />
      {answers !== undefined && (
        <span title={answers} className="soft-mark">
          judged
        </span>
      )}
      {marks?.map((mark) => (
        <span key={mark} className="turn-mark">
          {mark}
        </span>
      ))}
      <TurnDuration turn={turn} />
    </span>
  )
}

/** In a narrow place it stands with the figures: it would leave no room for the words of the turn. */
function MatchMark({ match }: Pick<Props, 'match'>) {
  return match !== undefined && <span className="soft-mark">{match}</span>
}

function Figures({ turn, zone, match, isNewDay, isNarrow }: Props) {
  const { status, models, tokens, costs } = turn
  const first = (
    <>
      {isNarrow && <MatchMark match={match} />}
      <TurnStatus status={status} />
      <StartTime turn={turn} zone={zone} isNewDay={isNewDay} />
      {models.length > 0 && (
        // So much that the cost loses less than the browser rounds to: of any more it would cut the currency.
        <span className="flex min-w-8 shrink-[10000]">
          <TurnModels models={models} />
        </span>
      )}
    </>
  )
  const second = (
    <>
      {tokens && models.length > 0 && <TurnTokens tokens={tokens} hasUnit />}
      {costs && costs.length > 0 && (
        // It is cut only after the models are.
        <span className="min-w-0 truncate">
          <TurnCost turn={turn} />
        </span>
      )}
    </>
  )
  return (
    <>
      <span className={figureLine}>
        {first}
        {!isNarrow && second}
      </span>
      {isNarrow && <span className={figureLine}>{second}</span>}
    </>
  )
}

const figureLine = 'flex items-center gap-x-2 overflow-hidden pl-8 text-xs whitespace-nowrap text-quiet'

function StartTime({ turn: { startedAt }, zone, isNewDay }: Pick<Props, 'turn' | 'zone' | 'isNewDay'>) {
  if (startedAt === null) return 'no start'
  const text = formatTime(startedAt, zone)
  return <time dateTime={startedAt}>{isNewDay ? text : text.slice('2026-01-31 '.length)}</time>
}

/** The same place and length as in the axis above the list. */
function AxisMark({ turn: { startMs, endMs, status }, axis }: Props) {
  if (startMs === null || !axis) return null
  const from = axis.toPosition(startMs)
  const to = axis.toPosition(Math.max(startMs, endMs ?? startMs))
  return (
    <span aria-hidden="true" className="turn-lane">
      <span
        className={status === 'error' ? 'is-failed' : ''}
        style={{ left: `min(${from * 100}%, 100% - 3px)`, width: `max(3px, ${(to - from) * 100}%)` }}
      />
    </span>
  )
}
