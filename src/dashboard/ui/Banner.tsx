import type { ReactNode } from 'react'
import { Icon } from './Icon'
import { type Tone, toneIcons, toneSurface, toneText } from './tone'

type Props = {
  tone: Exclude<Tone, 'neutral'>
  title: ReactNode
  children?: ReactNode
  actions?: ReactNode
  className?: string
}

/** A message inside a page. Screen readers announce bad ones at once, the others when they pause. */
export function Banner({ tone, title, children, actions, className = '' }: Props) {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={`flex flex-wrap items-start gap-x-3 gap-y-2 rounded-md px-3 py-2 forced-colors:border ${toneSurface[tone]} ${className}`}
    >
      <Icon name={toneIcons[tone]} className={`mt-0.5 ${toneText[tone]}`} />
      <div className="min-w-48 flex-1 break-words">
        <p className="font-semibold">{title}</p>
        {children}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}
