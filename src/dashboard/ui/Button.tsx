import type { ComponentProps } from 'react'
import { buttonClass, type ButtonVariant } from './button-class'
import { Icon, type IconName } from './Icon'

export type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant
  icon?: IconName | undefined
  /** While a request runs: the button keeps its focus and size, and ignores presses. */
  isBusy?: boolean
}

export function Button({ variant = 'plain', icon, isBusy = false, className = '', children, onClick, ...rest }: ButtonProps) {
  // aria-disabled instead of disabled: a disabled button loses the focus.
  return (
    <button
      type="button"
      {...rest}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || rest['aria-disabled']}
      className={`${buttonClass(variant)} ${className}`}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {isBusy ? <Spinner /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

function Spinner() {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      aria-hidden="true"
      className="animate-spin motion-reduce:animate-none"
    >
      <circle cx="8" cy="8" r="5.5" stroke="currentColor" strokeWidth="1.6" opacity="0.3" />
      <path d="M8 2.5A5.5 5.5 0 0 1 13.5 8" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </svg>
  )
}
