import type { ComponentProps } from 'react'

/** The look of an input, a select or a text area. */
export const controlClass =
  'min-w-0 rounded-md border border-line-strong bg-surface px-2 text-text placeholder:text-faint hover:border-quiet ' +
  'focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-bad disabled:opacity-55'

export function TextInput({ className = '', ...rest }: ComponentProps<'input'>) {
  return (
    <input
      type="text"
      autoComplete="off"
      spellCheck={false}
      {...rest}
      className={`${controlClass} read-only:border-line read-only:bg-sunken h-7 w-full ${className}`}
    />
  )
}

/** Grows with its text where the browser can (field-sizing), up to half of the window. */
export function TextArea({ className = '', ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={2}
      {...rest}
      className={`${controlClass} field-sizing-content max-h-[50dvh] min-h-12 w-full resize-y py-1 ${className}`}
    />
  )
}
