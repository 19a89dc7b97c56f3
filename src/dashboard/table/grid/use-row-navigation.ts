import { type FocusEvent, type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react'
import { announce } from '../../ui/announce'
import { copyText } from '../../ui/copy-text'
import type { TableView } from '../view/url-params'
import { toRowAction, type RowAction } from './row-action'
import type { SetView } from '../view/use-url-state'

/** What the panel of an open row can do: close, go to the previous or next row, or give the focus back to its row. */
export type PanelControls = {
  /** Changes when a row is opened while none is open. */
  opening: number
  close: () => void
  step: (by: -1 | 1) => void
  canStep: (by: -1 | 1) => boolean
  focusRow: () => void
}

type Options = {
  ids: readonly string[]
  view: TableView
  setView: SetView<TableView>
  /** Goes to the row's own page. Returns false where rows open a panel instead. */
  onFollow: (index: number) => boolean
  /** `isRange`: with all rows since the one that was selected last. */
  onToggle: (index: number, isRange: boolean) => void
}

/** Focus, keys and clicks of the table's body, and the panel that they open and close. */
export function useRowNavigation({ ids, view, setView, onFollow, onToggle }: Options) {
  const bodyId = useId()
  const [focusIndex, setFocusIndex] = useState(0)
  const [opening, setOpening] = useState(0)
  const openIndex = view.row === '' ? -1 : ids.indexOf(view.row)

  const rowAt = (index: number) => document.getElementById(bodyId)?.querySelector<HTMLTableRowElement>(`[data-index="${index}"]`)
  /** Without a cell: its button, which opens the row. */
  const focusRow = (index: number, cellIndex = rowHeaderIndex, options?: FocusOptions) => {
    setFocusIndex(index)
    const cell = rowAt(index)?.cells[cellIndex]
    if (!cell) return
    const control = cell.querySelector<HTMLElement>('a, button, input')
    // Not an attribute of each cell: hundreds of them would have to be rendered.
    if (!control) cell.tabIndex = -1
    ;(control ?? cell).focus(options)
  }
  const open = (index: number) => {
    const id = ids[index]
    if (onFollow(index)) return
    if (view.row === '') setOpening((count) => count + 1)
    // Replaces the history entry of the row before: one step back closes the panel, however many rows were opened.
    if (id !== undefined && id !== view.row) setView({ row: id }, { replace: view.row !== '' })
  }
  const lastOpened = useRef(view.row)
  const focusLastOpened = () => focusRow(Math.max(0, ids.indexOf(lastOpened.current)), rowHeaderIndex, { preventScroll: true })
  const close = () => {
    // Before the panel is gone: the next key is for the table.
    focusLastOpened()
    setView({ row: '' })
  }
  const perform = (action: RowAction, index: number, cellIndex: number, isRange: boolean) => {
    switch (action.kind) {
      case 'focus':
        return focusRow(action.index, cellIndex)
      case 'step':
        return focusRow(index, cellIndex + action.by)
      case 'open':
        focusRow(action.index)
        return open(action.index)
      case 'select':
        return onToggle(index, isRange)
      case 'copy':
        return void copyText(ids[index] ?? '').then((isCopied) => announce(isCopied ? 'Id copied' : 'Copying failed'))
      case 'close':
        return close()
    }
  }
  const canStep = (by: -1 | 1) => openIndex >= 0 && ids[openIndex + by] !== undefined
  const step = (by: -1 | 1) => {
    if (!canStep(by)) return
    setFocusIndex(openIndex + by)
    open(openIndex + by)
    rowAt(openIndex + by)?.scrollIntoView({ block: 'nearest' })
  }
  const latest = useRef({ close, step, focusLastOpened })
  // The panel may be rendered later than the row that is open, and its keys are those of that row: two keys are two steps.
  useEffect(() => {
    latest.current = { close, step, focusLastOpened }
    if (view.row !== '') lastOpened.current = view.row
  })
  const controls: PanelControls = {
    opening,
    canStep,
    close: () => latest.current.close(),
    step: (by) => latest.current.step(by),
    focusRow: () => latest.current.focusLastOpened(),
  }
  const bodyProps = {
    id: bodyId,
    onFocus: ({ target }: FocusEvent) => {
      setFocusIndex(findRowIndex(target) ?? 0)
      // By `:has(:focus-visible)` the browser would style each row anew whenever anything in it changes: half of a layout.
      target.closest('tr')?.toggleAttribute('data-focused', target.matches(':focus-visible'))
    },
    onBlur: ({ target }: FocusEvent) => target.closest('tr')?.removeAttribute('data-focused'),
    onKeyDown: (event: KeyboardEvent) => {
      const { target } = event
      const index = findRowIndex(target)
      const cell = target instanceof Element ? target.closest<HTMLTableCellElement>('td, th') : null
      if (index === undefined || !cell) return
      const action = toRowAction(event, index, ids.length, view.row !== '')
      // A button inside a cell, such as one that copies, keeps its own keys.
      const isOnRow = target === cell || (target instanceof Element && target.matches('[data-row-button], [data-select]'))
      if (!action || !(isOnRow || action.kind === 'focus' || action.kind === 'step')) return
      event.preventDefault()
      perform(action, index, cell.cellIndex, event.shiftKey)
    },
    // Shift would select the text between two boxes.
    onMouseDown: (event: MouseEvent) => {
      if (event.shiftKey && event.target instanceof Element && event.target.closest('[data-select]')) event.preventDefault()
    },
    onClick: ({ target, shiftKey }: MouseEvent) => {
      const index = findRowIndex(target)
      if (index === undefined || !(target instanceof Element)) return
      if (target.closest('[data-select]')) onToggle(index, shiftKey)
      // Text of a button cannot be selected, so a press of it is no end of a selection.
      else if (target.closest('button[data-row-button]')) open(index)
      else if (!target.closest('a, input, button') && isNothingSelected()) open(index)
    },
  }
  return { bodyProps, controls, focusIndex: Math.min(focusIndex, ids.length - 1) }
}

// The cell with the name of the row follows the checkbox.
const rowHeaderIndex = 1

function findRowIndex(target: EventTarget): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-index]') : null
  return row ? Number(row.dataset['index']) : undefined
}

/** Selecting text in a row to copy it must not open the row. */
function isNothingSelected(): boolean {
  return getSelection()?.isCollapsed ?? true
}
