import type { CSSProperties } from 'react'
import type { CallStatus } from '../../../contract/calls'
import { formatCount } from '../../format/count'
import { formatDuration, formatExactDuration } from '../../format/duration'
import { ForeignText } from '../../format/ForeignText'
import { formatVisibleText } from '../../format/visible-text'
import { Icon } from '../../ui/Icon'
import { PickBox } from '../pick/PickBox'
import type { CallNode } from './call-tree'
import type { PathSegment } from './critical-path'
import { countTokens, formatCosts } from './format-spent'
import { getKindLook } from '../../payload/kind-icons'
import { joinPeriods, type TimeScale, toPercent } from './time-axis'
import type { WaterfallColumn, WaterfallLayout } from './waterfall-columns'

type Props = {
  node: CallNode
  id: string
  /** Its position among the visible calls. */
  row: number
  height: number
  layout: WaterfallLayout
  baseLevel: number
  scale: TimeScale
  segments: readonly PathSegment[] | undefined
  isActive: boolean
  isOpen: boolean
  isCollapsed: boolean
  onToggle: () => void
  onOpen: () => void
  isPicked: boolean
  /** Undefined where nothing can be done with what is picked. */
  onPick: ((isRange: boolean) => void) | undefined
}

/** One call: its name at its level, its bar, and its figures. */
export function WaterfallRow(props: Props) {
  const { node, id, row, height, layout, isActive, isOpen, isCollapsed, onOpen } = props
  return (
    // The tree has the focus and the keyboard; its active row is named by aria-activedescendant.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <tr
      id={id}
      aria-level={node.level + 1}
      aria-expanded={node.children.length > 0 ? !isCollapsed : undefined}
      aria-rowindex={row + 2}
      aria-selected={isOpen}
      data-active={isActive || undefined}
      style={{ height }}
      onClick={onOpen}
    >
      {layout.isNarrow ? (
        <td>
          <div className="flex items-center gap-2">
            <CallName {...props} />
            <span className="ml-auto pl-2 tabular-nums">{formatTotal(node)}</span>
          </div>
          <Bar {...props} />
        </td>
      ) : (
        layout.columns.map((column) => <Cell key={column.id} column={column} {...props} />)
      )}
    </tr>
  )
}

function Cell({ column, ...props }: Props & { column: WaterfallColumn }) {
  const { call } = props.node
  switch (column.id) {
    case 'name':
      return (
        <td>
          <CallName {...props} />
        </td>
      )
    case 'time':
      return (
        <td>
          <Bar {...props} />
        </td>
      )
    case 'self':
      return <Figure text={call.self_ms === null ? null : formatDuration(call.self_ms)} />
    case 'total':
      return <Figure text={formatTotal(props.node)} />
    case 'model':
      return <td className="truncate text-quiet">{call.model !== null && <ForeignText text={call.model} />}</td>
    case 'tokens':
      return <Figure text={formatTokens(props.node)} />
    default:
      return <Figure text={formatCosts(call.costs)} />
  }
}

function Figure({ text }: { text: string | null }) {
  return <td className="text-right tabular-nums">{text}</td>
}

function formatTokens({ call }: CallNode): string | null {
  const tokens = countTokens(call)
  return tokens === null ? null : formatCount(String(tokens))
}

function formatTotal({ startUs, endUs }: CallNode): string {
  return endUs === null ? 'running' : formatDuration((endUs - startUs) / 1000)
}

function CallName({ node, layout, baseLevel, isCollapsed, onToggle, isPicked, onPick }: Props) {
  const { call, level, children } = node
  const { icon, label } = getKindLook(call.kind)
  const shift = Math.min(level - baseLevel, layout.maxIndent)
  const isCut = level - baseLevel > layout.maxIndent || baseLevel > 0
  return (
    <span className="waterfall-name">
      {onPick && <PickBox label={`Select ${formatVisibleText(call.name)}`} isPicked={isPicked} onPick={onPick} />}
      <span className="waterfall-indent" style={{ width: `calc(${shift} * ${layout.indent})` }} />
      {children.length > 0 ? (
        // The keyboard has the arrow keys, and readers the state of the row.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
        <span
          aria-hidden="true"
          className="waterfall-toggle"
          title={isCollapsed ? `Show ${formatCount(String(call.child_count))} calls below` : 'Collapse'}
          onClick={(event) => {
            event.stopPropagation()
            onToggle()
          }}
        >
          <Icon name={isCollapsed ? 'chevron-right' : 'chevron-down'} />
        </span>
      ) : (
        <span className="w-4 shrink-0" />
      )}
      {isCut && (
        <span aria-hidden="true" className="waterfall-level" title={`Level ${level + 1}`}>
          {level + 1}
        </span>
      )}
      <span title={label} className="flex text-quiet">
        <Icon name={icon} />
        <span className="sr-only">{label} </span>
      </span>
      <span className="min-w-0 truncate">
        <ForeignText text={call.name} />
      </span>
      <StatusMark status={call.status} />
    </span>
  )
}

const statusMarks: Readonly<Record<CallStatus, { text: string; className: string; icon: 'error' | 'warning' | 'clock' } | null>> =
  {
    success: null,
    error: { text: 'failed', className: 'text-bad', icon: 'error' },
    descendant_error: { text: 'a call below it failed', className: 'text-warn', icon: 'warning' },
    running: { text: 'running', className: 'text-accent', icon: 'clock' },
  }

function StatusMark({ status }: { status: CallStatus }) {
  const mark = statusMarks[status]
  return (
    mark && (
      <span title={mark.text} className={`flex ${mark.className}`}>
        <Icon name={mark.icon} />
        <span className="sr-only"> {mark.text}</span>
      </span>
    )
  )
}

const notCritical: readonly PathSegment[] = []

/** From the start of the call to its end; a line below it where it is on the critical path. */
function Bar({ node, scale, segments = notCritical }: Props) {
  const { call, startUs, endUs, earlyUs } = node
  const lastUs = endUs ?? scale.startUs + scale.spanUs
  const offsetMs = (startUs - scale.zeroUs) / 1000
  const offset = offsetMs < 0 ? `${formatExactDuration(-offsetMs)} before the turn` : `after ${formatExactDuration(offsetMs)}`
  const early = earlyUs > 0 ? `. It starts ${formatDuration(earlyUs / 1000)} before the call above it: their clocks differ` : ''
  const critical = segments.reduce((sum, segment) => sum + segment.endUs - segment.startUs, 0)
  const text = `Starts ${offset}, ${endUs === null ? 'still runs' : `lasts ${formatExactDuration((endUs - startUs) / 1000)}`}${early}`
  const title = critical > 0 ? `${text}. ${formatDuration(critical / 1000)} of it on the critical path` : text
  return (
    <span className="waterfall-track" title={title}>
      <span className="sr-only">{title}</span>
      <span
        className="waterfall-bar"
        data-failed={call.status === 'error' || undefined}
        data-running={endUs === null || undefined}
        style={toPlace(startUs, lastUs, scale)}
      />
      {joinPeriods(segments, scale).map((segment) => (
        <span key={segment.startUs} className="waterfall-critical" style={toPlace(segment.startUs, segment.endUs, scale)} />
      ))}
      {earlyUs > 0 && (
        <span className="waterfall-early" style={{ left: `${toPercent(startUs, scale)}%` }}>
          <Icon name="warning" className="size-3" />
        </span>
      )}
    </span>
  )
}

function toPlace(startUs: number, endUs: number, scale: TimeScale): CSSProperties {
  const left = toPercent(startUs, scale)
  return { left: `${left}%`, width: `${toPercent(endUs, scale) - left}%` }
}
