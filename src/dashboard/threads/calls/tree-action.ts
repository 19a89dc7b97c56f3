import type { KeyboardEvent } from 'react'
import type { CallNode } from './call-tree'
import type { TreeView } from './use-tree-view'

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** What a key does in the tree, as the ARIA pattern of tree grids has it. */
export type TreeAction =
  | { kind: 'activate'; row: number }
  | { kind: 'collapse' | 'expand' | 'open'; node: CallNode }
  | { kind: 'type'; character: string }

/** Undefined for a key that the tree leaves to others. */
export function getTreeAction(
  { key, ctrlKey, metaKey, altKey }: Key,
  { visible, activeRow, collapsedIds }: Pick<TreeView, 'visible' | 'activeRow' | 'collapsedIds'>,
  pageRows: number,
): TreeAction | undefined {
  const node = visible[activeRow]
  if (!node || ctrlKey || metaKey || altKey) return undefined
  const hasChildren = node.children.length > 0
  const isCollapsed = collapsedIds.has(node.call.id)
  switch (key) {
    case 'ArrowDown':
      return { kind: 'activate', row: activeRow + 1 }
    case 'ArrowUp':
      return { kind: 'activate', row: activeRow - 1 }
    case 'PageDown':
      return { kind: 'activate', row: activeRow + pageRows }
    case 'PageUp':
      return { kind: 'activate', row: activeRow - pageRows }
    case 'Home':
      return { kind: 'activate', row: 0 }
    case 'End':
      return { kind: 'activate', row: visible.length - 1 }
    case 'ArrowRight':
      if (!hasChildren) return { kind: 'activate', row: activeRow }
      return isCollapsed ? { kind: 'expand', node } : { kind: 'activate', row: activeRow + 1 }
    case 'ArrowLeft':
      if (hasChildren && !isCollapsed) return { kind: 'collapse', node }
      return { kind: 'activate', row: node.parent ? visible.indexOf(node.parent) : activeRow }
    case 'Enter':
    case ' ':
      return { kind: 'open', node }
    default:
      return key.length === 1 ? { kind: 'type', character: key } : undefined
  }
}
