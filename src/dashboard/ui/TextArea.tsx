import type { ComponentProps } from 'react'
import { controlClass } from './control-class'

/** Grows with its text where the browser can (field-sizing). */
export function TextArea({ className = '', ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea rows={2} {...rest} className={`${controlClass} field-sizing-content min-h-12 w-full resize-y py-1 ${className}`} />
  )
}
