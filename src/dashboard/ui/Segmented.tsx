import { useId } from 'react'
import { Icon, type IconName } from './Icon'
import { Radio } from './Radio'

export type SegmentedOption<Value extends string> = { value: Value; label: string; icon?: IconName; title?: string }

type Props<Value extends string> = {
  /** The name of the group for screen readers; not shown. */
  label: string
  /** Undefined: nothing is chosen yet. */
  value: Value | undefined
  options: readonly SegmentedOption<Value>[]
  onChange: (value: Value) => void
  className?: string
}

/** Radio buttons that look like one segmented control: arrows change the choice, and the group is one tab stop. */
export function Segmented<Value extends string>({ label, value, options, onChange, className = '' }: Props<Value>) {
  const name = useId()
  return (
    <fieldset
      aria-label={label}
      className={`inline-flex h-7 shrink-0 rounded-md border border-line-strong bg-surface p-px ${className}`}
    >
      {options.map((option) => (
        <label key={option.value} title={option.title} className="segment">
          <Radio
            name={name}
            choice={option.value}
            value={value}
            onChoose={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {option.icon && <Icon name={option.icon} />}
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
