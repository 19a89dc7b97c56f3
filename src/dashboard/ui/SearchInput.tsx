import { Icon } from './Icon'
import { TextInput } from './TextInput'

type Props = { label: string; value: string; onChange: (text: string) => void; placeholder?: string; className?: string }

/** A search field. Escape clears it. */
export function SearchInput({ label, value, onChange, placeholder, className = '' }: Props) {
  return (
    <div className={`relative min-w-0 ${className}`}>
      <Icon name="search" className="pointer-events-none absolute top-1.5 left-2 text-faint" />
      <TextInput
        type="search"
        aria-label={label}
        placeholder={placeholder ?? label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return
          event.preventDefault()
          event.stopPropagation()
          onChange('')
        }}
        className="pl-7.5"
      />
    </div>
  )
}
