import { type CSSProperties, type ReactNode, type ToggleEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'

/** Spread these props on the button that opens the popover. */
export type PopoverTrigger = { popoverTarget: string; style: CSSProperties }

type Props = {
  renderTrigger: (trigger: PopoverTrigger) => ReactNode
  /** Rendered only while open. `close` also returns the focus to the trigger. */
  children: (close: () => void) => ReactNode
  align?: 'start' | 'end'
  role?: 'dialog' | 'menu'
  label: string
  /** Finds the element to focus when it opens; without it the focus stays on the trigger. */
  focusOn?: (panel: HTMLElement) => HTMLElement | null | undefined
  onOpen?: () => void
  className?: string
}

const hasAnchors = typeof CSS !== 'undefined' && CSS.supports?.('position-area', 'block-end')

/**
 * The browser's popover at its trigger; the browser handles Escape, clicks outside and the top layer. CSS anchor
 * positioning places it, or `placeByHand` in browsers without it.
 */
export function Popover({
  renderTrigger,
  children,
  align = 'start',
  role = 'dialog',
  label,
  focusOn,
  onOpen,
  className = '',
}: Props) {
  const id = useId()
  const anchorName = `--anchor${id.replaceAll(/[^A-Za-z0-9]/g, '')}`
  const [isOpen, setIsOpen] = useState(false)

  const onBeforeToggle = (event: ToggleEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget || event.newState !== 'open') return
    // Rendered before it shows, so that the browser can focus its content: keys pressed right after the click arrive there.
    flushSync(() => setIsOpen(true))
    onOpen?.()
    focusOn?.(event.currentTarget)?.setAttribute('autofocus', '')
  }
  const onToggle = (event: ToggleEvent<HTMLDivElement>) => {
    if (event.target !== event.currentTarget) return
    if (event.newState === 'closed') {
      // The browser gives the focus back for the outermost popover alone.
      if (event.currentTarget.contains(document.activeElement) || document.activeElement === document.body) {
        findTrigger(id)?.focus()
      }
      return setIsOpen(false)
    }
    if (!hasAnchors) placeByHand(event.currentTarget, id, align)
  }

  return (
    <>
      {renderTrigger({ popoverTarget: id, style: { anchorName } })}
      <div
        id={id}
        popover="auto"
        role={role}
        aria-label={label}
        style={{
          positionAnchor: anchorName,
          positionArea: align === 'start' ? 'block-end span-inline-end' : 'block-end span-inline-start',
          // The margin keeps it off the edge of the window, and it still begins where its trigger does.
          ...(hasAnchors && { marginInline: '8px', [align === 'start' ? 'insetInlineStart' : 'insetInlineEnd']: '-8px' }),
        }}
        className={`float-panel ${className}`}
        onBeforeToggle={onBeforeToggle}
        onToggle={onToggle}
      >
        {isOpen && children(() => document.getElementById(id)?.hidePopover())}
      </div>
    </>
  )
}

/** The button that opens a popover. */
export function findTrigger(id: string) {
  return document.querySelector<HTMLElement>(`[popovertarget="${CSS.escape(id)}"]`)
}

function placeByHand(panel: HTMLElement, id: string, align: 'start' | 'end') {
  const anchor = findTrigger(id)?.getBoundingClientRect()
  if (!anchor) return
  const { width, height } = panel.getBoundingClientRect()
  const left = align === 'start' ? anchor.left : anchor.right - width
  const isBelow = anchor.bottom + height + 8 <= innerHeight || anchor.top < height + 8
  panel.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`
  panel.style.top = `${isBelow ? anchor.bottom : anchor.top - height - 8}px`
}
