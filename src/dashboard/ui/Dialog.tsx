import { type ReactNode, useEffect, useId, useRef } from 'react'
import { afterFrame } from './after-frame'
import { afterRelease, ignoreRepeats } from './held-keys'
import { IconButton } from './IconButton'
import { leaveDialog } from './leave-dialog'
import { focusFirst, listPlaces } from './lost-focus'
import { findTrigger } from './Popover'

type Props = {
  title: string
  onClose: () => void
  children: ReactNode
  actions?: ReactNode
  /** Shows only the children; the title is for screen readers. */
  isBare?: boolean
  className?: string
}

/**
 * The browser's modal dialog, open while it is rendered: it handles focus and Escape, and makes the page behind inert. For that
 * the browser styles each element of the page anew. So the first frame shows the dialog as a popover, which costs the page
 * nothing, until the keys that opened it are released; and where the person closes it, a frame without it comes first.
 */
export function Dialog({ title, onClose, children, actions, isBare = false, className = 'w-120' }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const stopLeaving = useRef(() => {})
  const isPressedBeside = useRef(false)
  const titleId = useId()
  // Both states need a method of the element; no attribute sets them.
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    const places = listPlaces(findOpener(document.activeElement))
    const stopIgnoring = ignoreRepeats()
    let stopWaiting = () => {}
    if (isCovered()) element.showModal()
    else stopWaiting = showPopoverThenModal(element)
    return () => {
      stopWaiting()
      stopIgnoring()
      // Nor must a key that closed it act on what is behind it.
      ignoreRepeats()
      stopLeaving.current()
      element.close()
      focusFirst(places)
    }
  }, [])
  const leave = () => {
    const element = dialog.current
    if (element && element.dataset['leaving'] === undefined) stopLeaving.current = leaveDialog(element, onClose)
  }
  return (
    // A click on the backdrop is a click on the dialog element itself. The keyboard has Escape.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      {...(isBare ? { 'aria-label': title } : { 'aria-labelledby': titleId })}
      onCancel={(event) => {
        event.preventDefault()
        leave()
      }}
      onPointerDown={(event) => {
        isPressedBeside.current = event.target === dialog.current
      }}
      onClick={(event) => {
        // A text selection may end beside the dialog, and the second of two quick clicks may be meant for the button that opened it.
        if (event.target === dialog.current && isPressedBeside.current && event.detail < 2) leave()
      }}
      className={`m-auto max-h-[calc(100dvh-32px)] max-w-[calc(100vw-16px)] rounded-md bg-surface text-text shadow-float forced-colors:border ${className}`}
    >
      <div className="flex max-h-[inherit] flex-col">
        {!isBare && (
          <header className="flex items-center justify-between gap-4 border-b border-line py-2 pr-2 pl-4">
            <h2 id={titleId} className="font-semibold">
              {title}
            </h2>
            <IconButton label="Close" icon="x" onClick={leave} />
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

/** What is there again when the dialog closes: of an open menu its button, because a modal dialog closes the menu. */
function findOpener(focused: Element | null): Element | null {
  const menu = focused?.closest('[popover]:popover-open')
  return menu ? findOpener(findTrigger(menu.id)) : focused
}

/** A modal dialog lets nothing outside itself take the focus. */
function isCovered(): boolean {
  return document.querySelector('dialog:modal') !== null
}

/** Returns how to stop, for a dialog that closes before it is modal. */
function showPopoverThenModal(element: HTMLDialogElement): () => void {
  element.popover = 'manual'
  element.showPopover()
  // What a modal dialog makes of Escape and of a click beside it, for the moment until it is one.
  const moment = new AbortController()
  let isPressedInside = false
  const cancelBy = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    element.dispatchEvent(new Event('cancel', { cancelable: true }))
  }
  const options = { capture: true, signal: moment.signal }
  window.addEventListener('keydown', (event) => event.key === 'Escape' && cancelBy(event), options)
  const onPointerDown = ({ target }: Event) => {
    isPressedInside = isWithin(target, element)
  }
  window.addEventListener('pointerdown', onPointerDown, options)
  // A text selection may end beside the dialog.
  window.addEventListener('click', (event) => isPressedInside || isWithin(event.target, element) || cancelBy(event), options)
  const beModal = () => {
    moment.abort()
    withoutFocusEvents(() => {
      const focused = document.activeElement
      element.popover = null
      element.showModal()
      if (focused instanceof HTMLElement && isWithin(focused, element)) focused.focus()
    })
  }
  // After two frames: one shows the dialog, the other is the answer to the release of the keys.
  let stopWaiting = afterFrame(() => {
    stopWaiting = afterRelease(() => {
      stopWaiting = afterFrame(beModal)
    })
  })
  return () => {
    moment.abort()
    stopWaiting()
    element.popover = null
  }
}

/** For a focus that moves and comes back at once. Forms would take it for a field that the person has left, and check it. */
function withoutFocusEvents(act: () => void): void {
  const moment = new AbortController()
  for (const type of ['focus', 'blur', 'focusin', 'focusout']) {
    window.addEventListener(type, (event) => event.stopImmediatePropagation(), { capture: true, signal: moment.signal })
  }
  act()
  moment.abort()
}

function isWithin(target: EventTarget | null, element: Element): boolean {
  return target instanceof Node && element.contains(target)
}
