import type { ComponentProps } from 'react'
import { controlClass } from './TextInput'

/** The browser's own select: its list is reachable by every hand and reader. */
export function Select({ className = '', children, ...rest }: ComponentProps<'select'>) {
  return (
    <select {...rest} className={`${controlClass} h-7 cursor-pointer pr-1 ${className}`}>
      {children}
    </select>
  )
}
