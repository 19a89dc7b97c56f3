import type { KeyboardEvent, ReactNode } from 'react'
import { Icon, type IconName } from './Icon'
import { Popover, type PopoverTrigger } from './Popover'

type Props = {
  label: string
  align?: 'start' | 'end'
  renderTrigger: (trigger: PopoverTrigger & { 'aria-haspopup': 'menu' }) => ReactNode
  /** `MenuItem`, `MenuLine` and `MenuHeading` elements. Selecting an item closes the menu. */
  children: ReactNode
}

/** A menu button. Arrows, Home, End and first letters move the focus; Escape closes the menu and returns the focus. */
export function Menu({ label, align = 'start', renderTrigger, children }: Props) {
  return (
    <Popover
      label={label}
      role="menu"
      align={align}
      renderTrigger={(own) => renderTrigger({ ...own, 'aria-haspopup': 'menu' })}
      className="min-w-44 py-1"
      focusOn={(panel) => panel.querySelector<HTMLElement>('[aria-checked=true]') ?? itemsOf(panel)[0]}
    >
      {(close) => (
        // The items are buttons; this element only listens to events that bubble up from them.
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
        <div
          role="none"
          onKeyDown={moveFocus}
          onClick={(event) => {
            if (event.target instanceof Element && event.target.closest('[role^=menuitem]:not([aria-disabled=true])')) close()
          }}
        >
          {children}
        </div>
      )}
    </Popover>
  )
}

function itemsOf(panel: HTMLElement): HTMLElement[] {
  return [...panel.querySelectorAll<HTMLElement>('[role^=menuitem]')]
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const items = itemsOf(event.currentTarget)
  const current = items.findIndex((item) => item === document.activeElement)
  const next = nextItem(event.key, items, current)
  if (!next) return
  event.preventDefault()
  event.stopPropagation()
  next.focus()
}

function nextItem(key: string, items: HTMLElement[], current: number): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(current + 1) % items.length]
  if (key === 'ArrowUp') return items.at(current <= 0 ? -1 : current - 1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (!/^[\p{L}\p{N}]$/u.test(key)) return undefined
  const after = [...items.slice(current + 1), ...items.slice(0, current + 1)]
  return after.find((item) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase()))
}

type ItemProps = {
  children: ReactNode
  onSelect: () => void
  icon?: IconName
  /** Makes the item one of several choices; true for the current choice. */
  isChecked?: boolean
  isDisabled?: boolean
  /** A shortcut or a second, quieter word at the end of the line. */
  aside?: ReactNode
}

export function MenuItem({ children, onSelect, icon, isChecked, isDisabled = false, aside }: ItemProps) {
  return (
    <button
      type="button"
      role={isChecked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChecked}
      aria-disabled={isDisabled || undefined}
      tabIndex={-1}
      onClick={() => {
        if (!isDisabled) onSelect()
      }}
      className="menu-item"
    >
      {isChecked === undefined ? (
        icon && <Icon name={icon} className="text-quiet" />
      ) : (
        <Icon name="check" className={isChecked ? 'text-accent' : 'invisible'} />
      )}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {aside && <span className="pl-4 text-xs text-quiet">{aside}</span>}
    </button>
  )
}

export function MenuLine() {
  return <hr className="my-1 border-line" />
}

export function MenuHeading({ children }: { children: ReactNode }) {
  return (
    <p role="presentation" className="px-2.5 pt-1 pb-0.5 text-xs font-semibold text-quiet">
      {children}
    </p>
  )
}
