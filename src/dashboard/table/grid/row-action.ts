/** What a key asks of the row it was pressed on. */
export type RowAction =
  | { kind: 'focus'; index: number }
  | { kind: 'open'; index: number }
  | { kind: 'select' }
  | { kind: 'copy' }
  | { kind: 'close' }

type Pressed = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }

const pageOfRows = 10

/** The keys of the table's body. j and k move between open rows, the arrows move the focus; both stop at the ends. */
export function toRowAction(pressed: Pressed, index: number, count: number, isPanelOpen: boolean): RowAction | undefined {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return undefined
  const clamp = (next: number) => Math.max(0, Math.min(count - 1, next))
  switch (pressed.key) {
    case 'ArrowDown':
      return { kind: 'focus', index: clamp(index + 1) }
    case 'ArrowUp':
      return { kind: 'focus', index: clamp(index - 1) }
    case 'Home':
      return { kind: 'focus', index: 0 }
    case 'End':
      return { kind: 'focus', index: clamp(count - 1) }
    case 'PageDown':
      return { kind: 'focus', index: clamp(index + pageOfRows) }
    case 'PageUp':
      return { kind: 'focus', index: clamp(index - pageOfRows) }
    case 'Enter':
      return { kind: 'open', index }
    case 'j':
      return isPanelOpen ? { kind: 'open', index: clamp(index + 1) } : undefined
    case 'k':
      return isPanelOpen ? { kind: 'open', index: clamp(index - 1) } : undefined
    case ' ':
      return { kind: 'select' }
    case 'c':
      return { kind: 'copy' }
    case 'Escape':
      return isPanelOpen ? { kind: 'close' } : undefined
    default:
      return undefined
  }
}
