import type { ReactNode } from 'react'
import { Icon } from './Icon'
import { type Tone, toneIcons, toneSurface, toneText } from './tone'

type Props = {
  tone?: Tone
  children: ReactNode
  /** False where the words alone express the state. */
  hasIcon?: boolean
  title?: string
  /** With it the chip has a button to remove it; `removeLabel` is the name of that button. */
  onRemove?: () => void
  removeLabel?: string
}

/** One or two words with a state. */
export function Chip({ tone = 'neutral', children, hasIcon = true, title, onRemove, removeLabel = 'Remove' }: Props) {
  return (
    <span
      title={title}
      className={`inline-flex h-5 max-w-full items-center gap-1 rounded-[4px] px-1.5 text-xs whitespace-nowrap forced-colors:border ${toneSurface[tone]} ${toneText[tone]}`}
    >
      {hasIcon && tone !== 'neutral' && <Icon name={toneIcons[tone]} className="size-3" />}
      <span className="truncate">{children}</span>
      {onRemove && (
        <button
          type="button"
          aria-label={removeLabel}
          onClick={onRemove}
          className="-mr-1 cursor-pointer rounded-[3px] hover:text-text"
        >
          <Icon name="x" className="size-3" />
        </button>
      )}
    </span>
  )
}
