import { MenuItem, MenuLine } from '../../ui/Menu'
import { moreIcons } from '../../ui/more-icons'

export type ShownColumn = { id: string; label: string; isShown: boolean }

type Props = {
  columns: readonly ShownColumn[]
  onToggle: (id: string) => void
  onReset: () => void
}

export function ColumnsMenuItems({ columns, onToggle, onReset }: Props) {
  return (
    <>
      {columns.map(({ id, label, isShown }) => (
        <MenuItem key={id} isChecked={isShown} onSelect={() => onToggle(id)}>
          {label}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon={moreIcons.undo} onSelect={onReset}>
        Columns as at first
      </MenuItem>
    </>
  )
}
