import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from '../../ui/IconButton'
import { moreIcons } from '../../ui/more-icons'
import type { PanelControls } from './use-row-navigation'

type Props = {
  /** Says of what kind the row is: "Cost", "Thread". */
  kind: string
  title: ReactNode
  /** What is shown: another row takes the focus to its heading. */
  id: string
  controls: PanelControls
  children: ReactNode
}

/** What there is to know of one row, beside the table: j and k go on to the next and previous row, Escape back to the table. */
export function RowPanel({ kind, title, id, controls, children }: Props) {
  const { close, step, canStep } = controls
  const panel = useRef<HTMLElement>(null)
  // Focus is the document's: readers go where the new content is. While keys move through the table it stays there.
  useEffect(() => {
    panel.current?.focus({ preventScroll: true })
    panel.current?.querySelector('[data-panel-body]')?.scrollTo({ top: 0 })
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') close()
    else if (event.key === 'j') step(1)
    else if (event.key === 'k') step(-1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // The keys are a shortcut for the buttons in the panel's head.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside ref={panel} aria-label={`${kind} ${id}`} tabIndex={-1} className="row-panel" onKeyDown={onKeyDown}>
      <header className="flex items-start gap-1 border-b border-line py-2 pr-2 pl-4">
        <div className="min-w-0 flex-1 py-1">
          <p className="text-xs text-quiet">{kind}</p>
          <h2 className="font-semibold break-words">{title}</h2>
        </div>
        <IconButton icon={moreIcons.chevronUp} label="Previous row (k)" aria-disabled={!canStep(-1)} onClick={() => step(-1)} />
        <IconButton icon="chevron-down" label="Next row (j)" aria-disabled={!canStep(1)} onClick={() => step(1)} />
        <IconButton icon={moreIcons.x} label="Close (Escape)" onClick={close} />
      </header>
      <div data-panel-body className="min-h-0 flex-1 overflow-y-auto">
        {children}
      </div>
    </aside>
  )
}

/** A titled part of a panel, set apart by a hairline. */
export function PanelSection({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="border-b border-line px-4 py-3 last:border-b-0">
      <div className="flex min-h-7 items-center justify-between gap-2">
        <h3 className="font-semibold">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** Names and values, one a line. */
export function Facts({ facts }: { facts: readonly { name: string; value: ReactNode }[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
      {facts.map(({ name, value }) => (
        <div key={name} className="contents">
          <dt className="text-quiet">{name}</dt>
          <dd className="text-right break-words tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
