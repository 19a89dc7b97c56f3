import { type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from './IconButton'

type Props = {
  title: string
  onClose: () => void
  children: ReactNode
  actions?: ReactNode
  /** Shows only the children; the title is for screen readers. */
  isBare?: boolean
  className?: string
}

/** The browser's modal dialog, open while it is rendered: it handles focus and Escape, and makes the page behind inert. */
export function Dialog({ title, onClose, children, actions, isBare = false, className = 'w-120' }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // The modal state needs a method of the element; no attribute sets it.
  useEffect(() => {
    const element = dialog.current
    const opener = document.activeElement
    if (!element?.open) element?.showModal()
    return () => {
      element?.close()
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return (
    // A click on the backdrop is a click on the dialog element itself. The keyboard has Escape.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      {...(isBare ? { 'aria-label': title } : { 'aria-labelledby': titleId })}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
      className={`m-auto max-h-[calc(100dvh-32px)] max-w-[calc(100vw-16px)] rounded-md bg-surface text-text shadow-float forced-colors:border ${className}`}
    >
      <div className="flex max-h-[inherit] flex-col">
        {!isBare && (
          <header className="flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-4">
            <h2 id={titleId} className="font-semibold">
              {title}
            </h2>
            <IconButton label="Close" icon="x" onClick={onClose} />
          </header>
        )}
        {isBare ? (
          children
        ) : (
          <div
            // The keyboard must be able to scroll it.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            className="overflow-auto p-4 -outline-offset-2"
          >
            {children}
          </div>
        )}
        {actions && <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">{actions}</footer>}
      </div>
    </dialog>
  )
}
