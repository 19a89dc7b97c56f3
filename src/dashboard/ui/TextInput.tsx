import type { ComponentProps } from 'react'
import { controlClass } from './control-class'

export function TextInput({ className = '', ...rest }: ComponentProps<'input'>) {
  return (
    <input type="text" autoComplete="off" spellCheck={false} {...rest} className={`${controlClass} h-7 w-full ${className}`} />
  )
}
