import { IconButton } from '../../ui/IconButton'
import { Menu } from '../../ui/Menu'
import { columnActions, type ColumnControls } from './column-actions'
import { ColumnMenuItems } from './ColumnMenuItems'

export function ColumnMenu({ label, controls }: { label: string; controls: ColumnControls }) {
  return (
    <div className="head-menu">
      <Menu
        label={`Options for ${label}`}
        align="end"
        renderTrigger={(trigger) => (
          <IconButton {...trigger} icon="chevron-down" label={`Options for ${label}`} className="size-5!" />
        )}
      >
        <ColumnMenuItems actions={columnActions(controls)} />
      </Menu>
    </div>
  )
}
