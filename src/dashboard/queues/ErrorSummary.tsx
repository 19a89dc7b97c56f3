import type { Ref } from 'react'
import { Icon } from '../ui/Icon'
import { moreIcons } from '../ui/more-icons'

export type SummaryItem = { targetId: string | undefined; text: string }

const mostShown = 8

/** What keeps the form from being sent, each with a way to its place. */
export function ErrorSummary({ items, ref }: { items: readonly SummaryItem[]; ref: Ref<HTMLDivElement> }) {
  return (
    <div
      ref={ref}
      tabIndex={-1}
      role="alert"
      aria-label="What has to be put right"
      className="flex scroll-mt-4 gap-3 rounded-md bg-bad-soft px-3 py-2 forced-colors:border"
    >
      <Icon name={moreIcons.error} className="mt-0.5 text-bad" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">
          {items.length === 1 ? 'One thing has to be put right' : `${items.length} things have to be put right`}
        </p>
        <ul>
          {items.slice(0, mostShown).map(({ targetId, text }) => (
            <li key={`${targetId} ${text}`} className="break-words">
              {targetId ? (
                <a
                  href={`#${targetId}`}
                  className="underline"
                  onClick={(event) => {
                    // Only the focus moves: a fragment in the address would stay in history and copies.
                    event.preventDefault()
                    document.getElementById(targetId)?.focus()
                  }}
                >
                  {text}
                </a>
              ) : (
                text
              )}
            </li>
          ))}
          {items.length > mostShown && <li>and {items.length - mostShown} more</li>}
        </ul>
      </div>
    </div>
  )
}
