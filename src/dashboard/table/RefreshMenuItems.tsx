import { MenuItem } from '../ui/Menu'
import { focusFirstItem } from './focus-first-item'
import { refreshChoices } from './use-refresh-every'

export function RefreshMenuItems({ seconds, onChange }: { seconds: number; onChange: (seconds: number) => void }) {
  return (
    <div role="none" ref={focusFirstItem}>
      {refreshChoices.map((choice) => (
        <MenuItem key={choice.seconds} isChecked={choice.seconds === seconds} onSelect={() => onChange(choice.seconds)}>
          {choice.label}
        </MenuItem>
      ))}
    </div>
  )
}
