import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { PartFallback } from '../grid/PartFallback'
import { buttonClass } from '../../ui/button-class'
import { Icon } from '../../ui/Icon'
import { Popover } from '../../ui/Popover'

type Props = {
  /** What is filtered or chosen: "Provider". */
  label: string
  /** What is chosen: "openai". Without it the chip shows `unsetText`. */
  value?: string | undefined
  /** "Any provider" */
  unsetText?: string | undefined
  /** Whether it narrows or changes what is below; then it stands out. */
  isSet: boolean
  onOpen?: (() => void) | undefined
  /** The content of the popover; it may be a lazy component. */
  children: (close: () => void) => ReactNode
}

/** A filter of a toolbar: a chip that says what is chosen, with a popover to choose. */
export function FilterChip({ label, value, unsetText, isSet, onOpen, children }: Props) {
  return (
    <Popover
      label={label}
      focusOn={findFirstControl}
      {...(onOpen && { onOpen })}
      renderTrigger={(trigger) => (
        <button
          type="button"
          {...trigger}
          aria-haspopup="dialog"
          className={`${buttonClass()} ${isSet ? 'border-accent! bg-accent-soft!' : ''}`}
        >
          {value === undefined ? unsetText : <span className="text-quiet">{label} </span>}
          {value !== undefined && <span className="max-w-56 truncate">{value}</span>}
          <Icon name="chevron-down" className="-mr-1 size-3.5 text-quiet" />
        </button>
      )}
    >
      {(close) => (
        <Suspense fallback={<PartFallback />}>
          <FocusFirstControl>{children(close)}</FocusFirstControl>
        </Suspense>
      )}
    </Popover>
  )
}

/** Content that was not loaded when the popover opened takes the focus once it is there. */
function FocusFirstControl({ children }: { children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (content.current) findFirstControl(content.current)?.focus()
  }, [])
  return (
    <div ref={content} className="contents">
      {children}
    </div>
  )
}

function findFirstControl(panel: HTMLElement): HTMLElement | null {
  return panel.querySelector<HTMLElement>('input[type=radio]:checked') ?? panel.querySelector<HTMLElement>('input, textarea')
}
