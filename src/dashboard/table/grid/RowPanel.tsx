import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/Button'
import { formatVisibleText } from '../../format/visible-text'
import { IconButton } from '../../ui/IconButton'
import { ignoresLetters } from '../../ui/ignores-letters'
import { moreIcons } from '../../ui/more-icons'
import type { PanelControls } from './use-row-navigation'

type Props = {
  /** What a row is: "Cost" or "Thread". */
  kind: string
  title: ReactNode
  /** The row's id or name, for the accessible name of the panel. */
  id: string
  controls: PanelControls
  children: ReactNode
}

/**
 * The details of one row, beside the table or in its place: j and k go to the next and previous row, Escape back to the
 * table.
 */
export function RowPanel({ kind, title, id, controls, children }: Props) {
  const { close, canStep, opening } = controls
  const step = (by: -1 | 1) => {
    if (canStep(by)) controls.step(by)
    else announce(by < 0 ? 'This is the first row of the page' : 'This is the last row of the page')
  }
  const panel = useRef<HTMLDivElement>(null)
  const latest = useRef(controls)
  // The focus moves into the panel when it opens, so that screen readers read it. A panel that is closed and opened again
  // within a frame was there all the time.
  useEffect(() => {
    panel.current?.focus({ preventScroll: true })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each opening takes the focus
  }, [opening])
  // Back to the row when it closes, also by the browser's Back.
  useEffect(
    () => () => {
      if (document.activeElement?.matches('body, main')) latest.current.focusRow()
    },
    [],
  )
  useEffect(() => {
    latest.current = controls
  })
  const readId = useRef(id)
  // Another row starts at its top. The focus stays, so nothing else would read its name.
  useEffect(() => {
    panel.current?.querySelector('[data-panel-body]')?.scrollTo({ top: 0 })
    if (readId.current !== id) announce(`${kind} ${id}`)
    readId.current = id
    // A click on a cell, which takes no focus, opened another row: the next keys are for the panel.
    if (document.activeElement?.matches('body, main')) panel.current?.focus({ preventScroll: true })
  }, [kind, id])
  const label = `${kind} ${formatVisibleText(id)}`
  const onKeyDown = (event: KeyboardEvent) => {
    if (ignoresLetters(event.target) || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') close()
    else if (event.key === 'j') step(1)
    else if (event.key === 'k') step(-1)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={panel}
      // Not a dialog element: the browser gives one that is not modal a place, a size and colours of its own.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      className="row-panel"
      onKeyDown={onKeyDown}
    >
      <header className="flex items-start gap-1 border-b border-line py-2 pr-2 pl-4">
        <div className="min-w-0 flex-1">
          <p className="flex min-h-7 items-center text-xs text-quiet">
            <Button variant="quiet" icon="arrow-left" className="-ml-2.5 min-[900px]:hidden" onClick={close}>
              Back to the table
            </Button>
            <span className="max-[899px]:hidden">{kind}</span>
          </p>
          <h2 className="line-clamp-4 font-semibold wrap-anywhere">{title}</h2>
        </div>
        <IconButton icon={moreIcons.chevronUp} label="Previous row (k)" aria-disabled={!canStep(-1)} onClick={() => step(-1)} />
        <IconButton icon="chevron-down" label="Next row (j)" aria-disabled={!canStep(1)} onClick={() => step(1)} />
        <IconButton icon="x" label="Close (Escape)" onClick={close} className="max-[899px]:hidden" />
      </header>
      <div data-panel-body className="min-h-0 flex-1 overflow-y-auto">
        {children}
      </div>
    </div>
  )
}

/** A section of a panel, with a line below it. */
export function PanelSection({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="border-b border-line px-4 py-3 last:border-b-0">
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-2">
        <h3 className="min-w-0 font-semibold wrap-anywhere">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  )
}

/** Names and values, one per line. */
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
