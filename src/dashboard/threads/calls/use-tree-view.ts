import { useMemo, useState } from 'react'
import { type CallNode, type CallTree, findRow, listAncestors, listVisibleNodes } from './call-tree'

/** Which calls of a tree are on screen, and the active one, which the keyboard acts on. `size` tells that the tree has grown. */
export type TreeView = {
  visible: readonly CallNode[]
  collapsedIds: ReadonlySet<string>
  /** Its position among the visible calls. */
  activeRow: number
  /** The active call, which may be in a collapsed one. */
  active: CallNode | undefined
  /** How often the keyboard, the pointer or a search has chosen it. */
  choiceCount: number
  activate: (row: number) => void
  /** Opens all calls above a call, so that it is visible, and makes it the active one. */
  reveal: (node: CallNode) => void
  toggle: (node: CallNode, isCollapsed?: boolean) => void
  collapseAll: () => void
  expandAll: () => void
}

export function useTreeView(tree: CallTree, size: number, firstId: string): TreeView {
  const [collapsedIds, setCollapsedIds] = useState<ReadonlySet<string>>(none)
  const [{ activeId, choiceCount }, setActive] = useState({ activeId: firstId, choiceCount: 0 })
  const choose = (id: string) => setActive({ activeId: id, choiceCount: choiceCount + 1 })
  // oxlint-disable-next-line react/exhaustive-deps -- the tree grows in place: its size stands for its content
  const visible = useMemo(() => listVisibleNodes(tree, collapsedIds), [tree, size, collapsedIds])
  const active = tree.find(activeId)
  return {
    visible,
    collapsedIds,
    activeRow: active ? findRow(visible, active) : 0,
    active,
    choiceCount,
    activate: (row) => {
      const node = visible[Math.min(Math.max(0, row), visible.length - 1)]
      if (node) choose(node.call.id)
    },
    reveal: (node) => {
      const hiding = listAncestors(node).filter(({ call }) => collapsedIds.has(call.id))
      if (hiding.length > 0) setCollapsedIds(without(collapsedIds, hiding))
      choose(node.call.id)
    },
    toggle: (node, isCollapsed = !collapsedIds.has(node.call.id)) => {
      if (node.children.length === 0) return
      setCollapsedIds(isCollapsed ? new Set([...collapsedIds, node.call.id]) : without(collapsedIds, [node]))
    },
    // The turn itself stays open: its own calls are what a person collapses the rest for.
    collapseAll: () =>
      setCollapsedIds(
        new Set(tree.nodes.filter(({ level, children }) => level > 0 && children.length > 0).map(({ call }) => call.id)),
      ),
    expandAll: () => setCollapsedIds(none),
  }
}

const none: ReadonlySet<string> = new Set()

function without(ids: ReadonlySet<string>, nodes: readonly CallNode[]): Set<string> {
  const remaining = new Set(ids)
  for (const { call } of nodes) remaining.delete(call.id)
  return remaining
}
