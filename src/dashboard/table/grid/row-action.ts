/** What a key does to the row it is pressed on. */
export type RowAction =
  | { kind: 'focus'; index: number }
  | { kind: 'step'; by: -1 | 1 }
  | { kind: 'open'; index: number }
  | { kind: 'select' }
  | { kind: 'copy' }
  | { kind: 'close' }

type KeyPress = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }

const rowsPerPageKey = 10

/** The keys of the table's body: arrows move the focus in both directions, j and k move the open panel; both stop at the first and last row. */
export function toRowAction(press: KeyPress, index: number, count: number, isPanelOpen: boolean): RowAction | undefined {
  if (press.ctrlKey || press.metaKey || press.altKey) return undefined
  const clamp = (next: number) => Math.max(0, Math.min(count - 1, next))
  switch (press.key) {
    case 'ArrowDown':
      return { kind: 'focus', index: clamp(index + 1) }
    case 'ArrowUp':
      return { kind: 'focus', index: clamp(index - 1) }
    case 'ArrowLeft':
      return { kind: 'step', by: -1 }
    case 'ArrowRight':
      return { kind: 'step', by: 1 }
    case 'Home':
      return { kind: 'focus', index: 0 }
    case 'End':
      return { kind: 'focus', index: clamp(count - 1) }
    case 'PageDown':
      return { kind: 'focus', index: clamp(index + rowsPerPageKey) }
    case 'PageUp':
      return { kind: 'focus', index: clamp(index - rowsPerPageKey) }
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
