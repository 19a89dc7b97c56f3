import type { ComponentProps } from 'react'
import { Icon, type IconName } from './Icon'

type Props = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & { label: string; icon: IconName }

/** A button that shows only an icon. `label` is its name for screen readers and its tooltip. */
export function IconButton({ label, icon, className = '', ...rest }: Props) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={`inline-flex size-7 shrink-0 cursor-pointer items-center justify-center rounded-md text-quiet transition-colors hover:bg-hover hover:text-text disabled:cursor-default disabled:opacity-55 aria-disabled:cursor-default aria-disabled:opacity-55 ${className}`}
    >
      <Icon name={icon} />
    </button>
  )
}
