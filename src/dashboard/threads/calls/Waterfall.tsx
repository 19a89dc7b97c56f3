import { type KeyboardEvent, type Ref, useEffect, useId, useImperativeHandle, useMemo, useRef } from 'react'
import { formatDuration } from '../../format/duration'
import { usePreferences } from '../../format/preferences'
import type { CallNode } from './call-tree'
import type { PathSegment } from './critical-path'
import { findNext } from './find-calls'
import { listTicks, type TimeScale, toPercent } from './time-axis'
import { getTreeAction } from './tree-action'
import type { TreeView } from './use-tree-view'
import { useRowWindow } from './use-row-window'
import { useWidth } from './use-width'
import { WaterfallRow } from './WaterfallRow'
import { getColumns } from './waterfall-columns'

type Props = {
  ref: Ref<{ focus: () => void }>
  view: TreeView
  /** All levels of the tree, also those that are not visible. */
  maxLevel: number
  scale: TimeScale
  segmentsById: ReadonlyMap<string, readonly PathSegment[]>
  openId: string
  /** `hasKeyboard`: the focus should follow. */
  onOpen: (node: CallNode, hasKeyboard: boolean) => void
  pickedIds: ReadonlySet<string>
  /** Undefined where nothing can be done with what is picked. */
  onPick: ((row: number, isRange: boolean) => void) | undefined
}

/** Rows are closer than those of the tables: the shape of the whole is what a person reads. */
const rowHeights = { compact: 24, regular: 28, roomy: 34 }
const headHeight = 28
const typingPauseMs = 700

/**
 * The calls of a turn as a tree with bars on one time scale. Only the rows near the visible part are in the page. The focus is
 * on the tree, which names its active row: so it survives when that row is scrolled away.
 */
export function Waterfall({ ref, view, maxLevel, scale, segmentsById, openId, onOpen, pickedIds, onPick }: Props) {
  const { visible, activeRow, choiceCount, collapsedIds } = view
  const id = useId()
  const { density } = usePreferences()
  const [scroller, width] = useWidth<HTMLDivElement>()
  const table = useRef<HTMLTableElement>(null)
  const layout = getColumns(width, maxLevel)
  const rowHeight = rowHeights[density] + (layout.isNarrow ? 16 : 0)
  const { first, end } = useRowWindow(scroller, visible.length, rowHeight)
  const typed = useRef({ text: '', at: 0 })
  useImperativeHandle(ref, () => ({ focus: () => table.current?.focus({ preventScroll: true }) }), [])

  // The active row changes by keyboard, by search and by the address; the element's scroll position is outside React.
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const top = activeRow * rowHeight
    const room = element.clientHeight - headHeight - rowHeight
    // What was searched for comes to the top, near the search field.
    if (Math.abs(top - element.scrollTop) > 2 * element.clientHeight) element.scrollTo({ top: top - rowHeight })
    else if (top < element.scrollTop) element.scrollTo({ top })
    else if (top > element.scrollTop + room) element.scrollTo({ top: top - room })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- who chooses the same call again wants to see it
  }, [scroller, activeRow, rowHeight, choiceCount])
  // On a phone a part of the tree may be outside the window. The active row is in its place when the rows around it are drawn.
  const shownChoice = useRef(0)
  const isInPlace = activeRow >= first && activeRow < end
  useEffect(() => {
    if (!isInPlace || shownChoice.current === choiceCount) return
    shownChoice.current = choiceCount
    table.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [isInPlace, choiceCount])

  const rows = useMemo(() => {
    const drawn = visible.slice(first, end).map((node, index) => ({ node, row: first + index }))
    const active = visible[activeRow]
    // What the focus is on must exist.
    if (active && activeRow < first) return [{ node: active, row: activeRow }, ...drawn]
    return active && activeRow >= end ? [...drawn, { node: active, row: activeRow }] : drawn
  }, [visible, first, end, activeRow])
  // Deep calls are drawn from the level of the topmost one in sight, so that a chain of hundreds needs no room.
  const baseLevel = maxLevel > layout.maxIndent ? Math.min(...rows.map(({ node }) => node.level)) : 0

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === ' ' && onPick && !event.ctrlKey && !event.metaKey && !event.altKey) {
      onPick(activeRow, event.shiftKey)
      event.preventDefault()
      event.stopPropagation()
      return
    }
    const pageRows = Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - headHeight) / rowHeight) - 1)
    const action = getTreeAction(event, view, pageRows)
    if (!action) return
    if (action.kind === 'activate') view.activate(action.row)
    else if (action.kind === 'open') onOpen(action.node, true)
    else if (action.kind === 'type') typeAhead(action.character)
    else view.toggle(action.node, action.kind === 'collapse')
    event.preventDefault()
    // The panel around has keys of its own, such as j and k.
    event.stopPropagation()
  }

  /** Typing goes to the next visible call whose name begins so. */
  const typeAhead = (character: string) => {
    const now = performance.now()
    const isNew = now - typed.current.at > typingPauseMs
    typed.current = { text: (isNew ? '' : typed.current.text) + character.toLowerCase(), at: now }
    const found = visible.filter(({ call }) => call.name.toLowerCase().startsWith(typed.current.text))
    const from = visible[activeRow]?.index ?? 0
    // The first letter leads on, the next ones may fit the same call.
    const next = findNext(found, isNew ? from : from - 1, 1)
    if (next) view.reveal(next)
  }

  const spacer = (rowCount: number) =>
    rowCount > 0 && (
      <tr aria-hidden="true">
        {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- it stands for the rows that are not drawn */}
        <td colSpan={layout.columns.length} style={{ height: rowCount * rowHeight, padding: 0 }} />
      </tr>
    )
  const isAbove = activeRow < first
  const isBelow = activeRow >= end
  return (
    <div ref={scroller} className="waterfall-scroll" data-narrow={layout.isNarrow || undefined}>
      <table
        ref={table}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a tree with columns
        role="treegrid"
        aria-label="Calls of this turn"
        aria-rowcount={visible.length + 1}
        aria-activedescendant={visible.length > 0 ? `${id}-${activeRow}` : undefined}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the tree is one tab stop
        tabIndex={0}
        className="waterfall"
        data-chosen={choiceCount > 0 || undefined}
        onKeyDown={onKeyDown}
      >
        <colgroup>
          {layout.columns.map((column) => (
            <col key={column.id} style={{ width: column.width }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1} style={{ height: headHeight }}>
            {layout.columns.map((column) => (
              <th key={column.id} scope="col" className={column.isFigure ? 'text-right' : 'text-left'}>
                {column.id === 'time' ? <TimeAxis scale={scale} width={width} title={column.title} /> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {spacer(isAbove ? activeRow : first)}
          {rows.map(({ node, row }) => (
            <WaterfallRow
              key={node.call.id}
              node={node}
              id={`${id}-${row}`}
              row={row}
              height={rowHeight}
              layout={layout}
              baseLevel={baseLevel}
              scale={scale}
              segments={segmentsById.get(node.call.id)}
              isActive={row === activeRow}
              isOpen={node.call.id === openId}
              isCollapsed={collapsedIds.has(node.call.id)}
              onToggle={() => view.toggle(node)}
              isPicked={pickedIds.has(node.call.id)}
              onPick={onPick && ((isRange) => onPick(row, isRange))}
              onOpen={() => onOpen(node, false)}
            />
          ))}
          {spacer(visible.length - end - (isBelow ? 1 : 0))}
        </tbody>
      </table>
    </div>
  )
}

/** The times above the bars, from the first start on. */
function TimeAxis({ scale, width, title }: { scale: TimeScale; width: number; title: string }) {
  // A label needs about 70 px. All but the first stand before their time, where the end of the axis does not crop them.
  const ticks = listTicks(scale, Math.max(3, Math.floor(width / 300)))
  const labelled = ticks.map((tick) => ({ tick, left: toPercent(scale.zeroUs + tick, scale) }))
  return (
    <span className="waterfall-axis">
      <span className="sr-only">{title}</span>
      {labelled.map(({ tick, left }, index) => (
        <span key={tick} aria-hidden="true" style={index > 0 || left > 75 ? { right: `${100 - left}%` } : { left: `${left}%` }}>
          {formatOffset(tick)}
        </span>
      ))}
    </span>
  )
}

function formatOffset(offsetUs: number): string {
  if (offsetUs === 0) return '0'
  // Steps are round.
  const text = formatDuration(Math.abs(offsetUs) / 1000).replace(/\.0+(?= )/, '')
  return offsetUs < 0 ? `−${text}` : text
}
