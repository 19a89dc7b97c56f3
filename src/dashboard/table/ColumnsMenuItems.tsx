import { MenuItem, MenuLine } from '../ui/Menu'
import { focusFirstItem } from './focus-first-item'

type Props = {
  columns: readonly { id: string; label: string; isShown: boolean }[]
  onToggle: (id: string) => void
  onReset: () => void
}

export function ColumnsMenuItems({ columns, onToggle, onReset }: Props) {
  return (
    <div role="none" ref={focusFirstItem}>
      {columns.map(({ id, label, isShown }) => (
        <MenuItem key={id} isChecked={isShown} onSelect={() => onToggle(id)}>
          {label}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon="undo" onSelect={onReset}>
        Columns as at first
      </MenuItem>
    </div>
  )
}
