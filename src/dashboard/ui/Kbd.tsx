import { Fragment } from 'react'

const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

/** A key combination, joined by `+`. "mod+K" is ⌘K on Apple keyboards and Ctrl+K elsewhere. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <kbd className="inline-flex items-center gap-0.5 font-sans text-xs text-quiet">
      {keys.split('+').map((key, index) => (
        <Fragment key={key}>
          {index > 0 && <span className="sr-only">+</span>}
          <kbd className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-[3px] border border-line bg-sunken px-1 font-sans">
            {key === 'mod' ? (isApple ? '⌘' : 'Ctrl') : key}
          </kbd>
        </Fragment>
      ))}
    </kbd>
  )
}
