import type { PointerEvent } from 'react'
import { minColumnWidth, type TableLayout, withWidth } from './table-layout'

type Props = { columnId: string; layout: TableLayout; changeLayout: (part: Partial<TableLayout>) => void }

/** The edge of a header, for the pointer; the keyboard has the same in the column's menu. */
export function ResizeHandle({ columnId, layout, changeLayout }: Props) {
  return (
    <span
      aria-hidden="true"
      className="resize-handle"
      onPointerDown={(event) => dragWidth(event, (next) => changeLayout(withWidth(layout, columnId, next)))}
    />
  )
}

/** Follows the pointer until it is let go. */
function dragWidth(event: PointerEvent<HTMLElement>, setWidth: (width: number) => void) {
  event.preventDefault()
  const handle = event.currentTarget
  const startX = event.clientX
  const startWidth = handle.parentElement?.getBoundingClientRect().width ?? minColumnWidth
  const move = (moved: globalThis.PointerEvent) => setWidth(Math.round(startWidth + moved.clientX - startX))
  handle.setPointerCapture(event.pointerId)
  handle.addEventListener('pointermove', move)
  handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
}
