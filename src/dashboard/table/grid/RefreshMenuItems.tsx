import { MenuItem } from '../../ui/Menu'

const choices = [
  { seconds: 0, label: 'By hand' },
  { seconds: 10, label: 'Every 10 s' },
  { seconds: 30, label: 'Every 30 s' },
  { seconds: 60, label: 'Every minute' },
  { seconds: 300, label: 'Every 5 minutes' },
] as const

export function RefreshMenuItems({ seconds, onChange }: { seconds: number; onChange: (seconds: number) => void }) {
  return (
    <>
      {choices.map((choice) => (
        <MenuItem key={choice.seconds} isChecked={choice.seconds === seconds} onSelect={() => onChange(choice.seconds)}>
          {choice.label}
        </MenuItem>
      ))}
    </>
  )
}
