import type { ComponentProps } from 'react'
import { controlClass } from './TextInput'

/** The browser's own select, which every input device and screen reader can use. */
export function Select({ className = '', children, ...rest }: ComponentProps<'select'>) {
  return (
    <select {...rest} className={`${controlClass} h-7 shrink-0 cursor-pointer pr-1 ${className}`}>
      {children}
    </select>
  )
}
