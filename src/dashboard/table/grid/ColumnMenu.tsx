import { announce } from '../../ui/announce'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuItem, MenuLine } from '../../ui/Menu'
import { moreIcons } from '../../ui/more-icons'
import { type ColumnControl, type ColumnModel, findMoveTarget, minColumnWidth, swapColumns } from './use-column-model'

const widthStep = 24

type Props<Row extends object> = {
  label: string
  control: ColumnControl<Row>
  table: ColumnModel<Row, unknown>['table']
}

/** The menu in a column's header: sorting, pinning, moving, hiding and width, all by keyboard too. */
export function ColumnMenu<Row extends object>(props: Props<Row>) {
  const { label } = props
  return (
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
  )
}

function ColumnMenuItems<Row extends object>({ label, control, table }: Props<Row>) {
  const direction = control.getIsSorted()
  const isPinned = control.getIsPinned() !== false
  const resize = (by: number) =>
    table.setColumnSizing((sizes) => ({ ...sizes, [control.id]: Math.max(minColumnWidth, control.getSize() + by) }))
  const move = (by: -1 | 1) => {
    const target = findMoveTarget(table, control, by)
    if (!target) return
    swapColumns(table, control, target)
    announce(`${label} moved ${by < 0 ? 'left' : 'right'}`)
  }
  return (
    <>
      {control.getCanSort() ? (
        <>
          <MenuItem isChecked={direction === 'desc'} onSelect={() => control.toggleSorting(true)}>
            Sort descending
          </MenuItem>
          <MenuItem isChecked={direction === 'asc'} onSelect={() => control.toggleSorting(false)}>
            Sort ascending
          </MenuItem>
          <MenuItem icon={moreIcons.x} isDisabled={!direction} onSelect={() => control.clearSorting()}>
            Remove from sorting
          </MenuItem>
          <MenuItem
            icon={moreIcons.plus}
            isDisabled={table.state.sorting.length === 0}
            onSelect={() => control.toggleSorting(undefined, true)}
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
      <MenuItem icon={moreIcons.pin} isDisabled={!control.getCanPin()} onSelect={() => control.pin(isPinned ? false : 'start')}>
        {isPinned ? 'Unpin' : 'Pin to the left'}
      </MenuItem>
      <MenuItem icon={moreIcons.arrowLeft} isDisabled={!findMoveTarget(table, control, -1)} onSelect={() => move(-1)}>
        Move left
      </MenuItem>
      <MenuItem icon={moreIcons.arrowRight} isDisabled={!findMoveTarget(table, control, 1)} onSelect={() => move(1)}>
        Move right
      </MenuItem>
      <MenuItem icon="eye-off" isDisabled={!control.getCanHide()} onSelect={() => control.toggleVisibility(false)}>
        Hide
      </MenuItem>
      <MenuLine />
      <MenuItem icon={moreIcons.plus} onSelect={() => resize(widthStep)}>
        Wider
      </MenuItem>
      <MenuItem icon="minus" onSelect={() => resize(-widthStep)}>
        Narrower
      </MenuItem>
      <MenuItem icon={moreIcons.width} onSelect={() => control.resetSize()}>
        Reset width
      </MenuItem>
    </>
  )
}
