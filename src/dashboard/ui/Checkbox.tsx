import type { ComponentProps, ReactNode } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint?: ReactNode }

export function Checkbox({ label, hint, className = '', ...rest }: Props) {
  return (
    <label className={`flex cursor-pointer items-start gap-2 ${className}`}>
      <input type="checkbox" {...rest} className="mt-0.75 size-3.5 shrink-0 cursor-pointer accent-accent" />
      <span className="min-w-0">
        {label}
        {hint && <span className="block text-xs text-quiet">{hint}</span>}
      </span>
    </label>
  )
}
