import type { PointerEvent } from 'react'
import { announce } from '../../ui/announce'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuItem, MenuLine } from '../../ui/Menu'
import { minColumnWidth, type TableLayoutControls } from '../view/table-layout'
import type { ColumnSorting } from './use-column-model'
import { moreIcons } from '../../ui/more-icons'

const widthStep = 24

type Props<Row extends object> = {
  id: string
  label: string
  /** The current width, pixels. */
  width: number
  sorting: ColumnSorting<Row>
  sortCount: number
  layout: TableLayoutControls
}

/** What a column's header has beside sorting: a menu with everything, and an edge to drag for its width. */
export function ColumnMenu<Row extends object>(props: Props<Row>) {
  const { id, label, layout } = props
  return (
    <>
      <div className="head-menu">
        <Menu
          label={`Options for ${label}`}
          align="end"
          renderTrigger={(trigger) => (
            <IconButton {...trigger} icon="chevron-down" label={`Options for ${label}`} className="size-5!" />
          )}
        >
          <ColumnMenuItems {...props} />
        </Menu>
      </div>
      {/* For the pointer; the keyboard has the same in the column's menu. */}
      <span
        aria-hidden="true"
        className="resize-handle"
        onPointerDown={(event) => dragWidth(event, (next) => layout.setWidth(id, next))}
      />
    </>
  )
}

function ColumnMenuItems<Row extends object>({ id, label, width, sorting, sortCount, layout }: Props<Row>) {
  const direction = sorting.getIsSorted()
  const isRowHeader = layout.visibleIds[0] === id
  const move = (by: -1 | 1) => {
    layout.move(id, by)
    announce(`${label} moved ${by < 0 ? 'left' : 'right'}`)
  }
  const hide = () => {
    const cells = [...document.querySelectorAll<HTMLElement>('.head-cell')]
    const cellBefore = cells[cells.findIndex(({ dataset }) => dataset['label'] === label) - 1]
    layout.toggleHidden(id)
    announce(`${label} hidden`)
    // The button that has the focus goes with its column.
    requestAnimationFrame(() => cellBefore?.querySelector('button')?.focus())
  }
  return (
    <>
      {sorting.getCanSort() ? (
        <>
          <MenuItem isChecked={direction === 'desc'} onSelect={() => sorting.toggleSorting(true)}>
            Sort descending
          </MenuItem>
          <MenuItem isChecked={direction === 'asc'} onSelect={() => sorting.toggleSorting(false)}>
            Sort ascending
          </MenuItem>
          <MenuItem icon="x" isDisabled={!direction} onSelect={() => sorting.clearSorting()}>
            Remove from sorting
          </MenuItem>
          <MenuItem
            icon="plus"
            isDisabled={sortCount === 0}
            onSelect={() => sorting.toggleSorting(undefined, true)}
            aside="Shift + click"
          >
            Add to sorting
          </MenuItem>
        </>
      ) : (
        <MenuItem isDisabled icon="info" onSelect={() => undefined}>
          The server cannot sort by this
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon={moreIcons.pin} isDisabled={isRowHeader} onSelect={() => layout.togglePinned(id)}>
        {layout.isPinned(id) ? 'Unpin' : 'Pin to the left'}
      </MenuItem>
      <MenuItem icon="arrow-left" isDisabled={!layout.findMoveTarget(id, -1)} onSelect={() => move(-1)}>
        Move left
      </MenuItem>
      <MenuItem icon="arrow-right" isDisabled={!layout.findMoveTarget(id, 1)} onSelect={() => move(1)}>
        Move right
      </MenuItem>
      <MenuItem icon={moreIcons.eyeOff} isDisabled={isRowHeader} onSelect={hide}>
        Hide
      </MenuItem>
      <MenuLine />
      <MenuItem icon="plus" onSelect={() => layout.setWidth(id, width + widthStep)}>
        Wider
      </MenuItem>
      <MenuItem icon="minus" onSelect={() => layout.setWidth(id, width - widthStep)}>
        Narrower
      </MenuItem>
      <MenuItem icon={moreIcons.width} onSelect={() => layout.resetWidth(id)}>
        Reset width
      </MenuItem>
    </>
  )
}

/** Calls `setWidth` until the pointer is released. Starts from the width on screen: the first column's depends on the window. */
function dragWidth(event: PointerEvent<HTMLElement>, setWidth: (width: number) => void) {
  event.preventDefault()
  const handle = event.currentTarget
  const startX = event.clientX
  const startWidth = handle.parentElement?.getBoundingClientRect().width ?? minColumnWidth
  const move = (moved: globalThis.PointerEvent) => setWidth(Math.round(startWidth + moved.clientX - startX))
  handle.setPointerCapture(event.pointerId)
  handle.addEventListener('pointermove', move)
  handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
}
