import { MenuItem } from '../ui/Menu'
import { refreshChoices } from './use-refresh-every'

export function RefreshMenuItems({ seconds, onChange }: { seconds: number; onChange: (seconds: number) => void }) {
  return (
    <>
      {refreshChoices.map((choice) => (
        <MenuItem key={choice.seconds} isChecked={choice.seconds === seconds} onSelect={() => onChange(choice.seconds)}>
          {choice.label}
        </MenuItem>
      ))}
    </>
  )
}
