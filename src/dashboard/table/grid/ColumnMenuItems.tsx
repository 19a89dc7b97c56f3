import { MenuItem, MenuLine } from '../../ui/Menu'
import { moreIcons } from '../../ui/more-icons'
import type { ColumnActions } from './column-actions'

const step = 24

/** All that can be done to a column, by keyboard too. */
export function ColumnMenuItems({ actions }: { actions: ColumnActions }) {
  const { direction, isRowHeader, isPinned, width } = actions
  return (
    <>
      {actions.isSortable ? (
        <>
          <MenuItem isChecked={direction === 'desc'} onSelect={() => actions.sort('desc')}>
            Sort descending
          </MenuItem>
          <MenuItem isChecked={direction === 'asc'} onSelect={() => actions.sort('asc')}>
            Sort ascending
          </MenuItem>
          <MenuItem icon={moreIcons.x} isDisabled={!direction} onSelect={actions.clearSort}>
            Do not sort by this
          </MenuItem>
          <MenuItem icon={moreIcons.plus} isDisabled={actions.sortCount === 0} onSelect={actions.alsoSort} aside="Shift + press">
            Sort by this too
          </MenuItem>
        </>
      ) : (
        <MenuItem isDisabled icon="info" onSelect={() => undefined}>
          The server cannot sort by this
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon={moreIcons.pin} isDisabled={isRowHeader} onSelect={() => actions.pin(!isPinned)}>
        {isPinned ? 'Unpin' : 'Pin to the left'}
      </MenuItem>
      <MenuItem icon={moreIcons.arrowLeft} isDisabled={!actions.canMoveLeft} onSelect={() => actions.move(-1)}>
        Move left
      </MenuItem>
      <MenuItem icon={moreIcons.arrowRight} isDisabled={!actions.canMoveRight} onSelect={() => actions.move(1)}>
        Move right
      </MenuItem>
      <MenuItem icon="eye-off" isDisabled={isRowHeader} onSelect={actions.hide}>
        Hide
      </MenuItem>
      <MenuLine />
      <MenuItem icon={moreIcons.plus} onSelect={() => actions.setWidth(width + step)}>
        Wider
      </MenuItem>
      <MenuItem icon="minus" onSelect={() => actions.setWidth(width - step)}>
        Narrower
      </MenuItem>
      <MenuItem icon={moreIcons.width} onSelect={actions.resetWidth}>
        Width as at first
      </MenuItem>
    </>
  )
}
