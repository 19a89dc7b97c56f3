import type { Ref } from 'react'
import { Icon } from './Icon'

/** `targetId` is the id of the control to correct; undefined for an error that belongs to no control. Nothing in `text` is invisible. */
export type SummaryItem = { targetId: string | undefined; text: string }

const maxItems = 8

/** The errors that keep the form from being sent, each with a link to its control. */
export function ErrorSummary({ items, ref }: { items: readonly SummaryItem[]; ref: Ref<HTMLDivElement> }) {
  return (
    <div
      ref={ref}
      tabIndex={-1}
      role="alert"
      aria-label="Errors in the form"
      className="flex scroll-mt-4 gap-3 rounded-md bg-bad-soft px-3 py-2 forced-colors:border"
    >
      <Icon name="error" className="mt-0.5 text-bad" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{items.length === 1 ? '1 error to correct' : `${items.length} errors to correct`}</p>
        <ul>
          {items.slice(0, maxItems).map(({ targetId, text }) => (
            <li key={`${targetId} ${text}`} className="break-words">
              {targetId ? (
                <a
                  href={`#${targetId}`}
                  className="underline"
                  onClick={(event) => {
                    // Only the focus moves: a fragment in the address would stay in the history and in copies.
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
          {items.length > maxItems && <li>and {items.length - maxItems} more</li>}
        </ul>
      </div>
    </div>
  )
}
