import { useMemo, useState } from 'react'
import { formatCount } from '../../format/count'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { moreIcons } from '../../ui/more-icons'
import { SearchInput } from '../../ui/SearchInput'
import type { CallNode, CallTree } from './call-tree'
import { findByName, findFailed, findFirst, findNext, findSlowest } from './find-calls'
import type { TreeView } from './use-tree-view'

type Props = {
  tree: CallTree
  /** All calls were read. */
  isComplete: boolean
  view: TreeView
  /** For a call that failed, or the slowest one. */
  onOpen: (node: CallNode) => void
}

const collapseIcon = 'M4 3l4 4 4-4M4 13l4-4 4 4'
const expandIcon = 'M4 6l4-4 4 4M4 10l4 4 4-4'

/** What leads to a call in the tree: its name, the next failure, the most self time. */
export function TreeTools({ tree, isComplete, view, onOpen }: Props) {
  const [text, setText] = useState('')
  const [note, setNote] = useState('')
  const { size } = tree
  // oxlint-disable-next-line react/exhaustive-deps -- the tree grows in place: its size stands for its content
  const found = useMemo(() => findByName(tree.nodes, text), [tree, size, text])
  const isCollapsed = view.collapsedIds.size > 0
  const { active } = view
  const position = active ? found.indexOf(active) : -1
  const step = (by: 1 | -1) => {
    const node = findNext(found, active?.index ?? 0, by)
    if (node) view.reveal(node)
    if (text.trim() !== '') announce(node ? node.call.name : 'No call has this name')
  }
  const openFound = (node: CallNode | undefined, missing: string) => {
    setNote(node ? '' : `${missing}${isComplete ? '' : ' so far'}`)
    if (!node) return
    announce(node.call.name)
    onOpen(node)
  }
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-2">
      <form
        className="flex min-w-0 flex-[1_1_11rem] items-center gap-1"
        onSubmit={(event) => {
          event.preventDefault()
          step(1)
        }}
      >
        <SearchInput
          label="Find a call by name"
          className="w-48 min-w-28"
          value={text}
          onChange={(next) => {
            setText(next)
            // The active call stays where it fits what was typed.
            const node = findFirst(tree.nodes, next, active?.index ?? 0)
            if (node) view.reveal(node)
          }}
        />
        {text.trim() !== '' && (
          <>
            <output className="text-xs whitespace-nowrap text-quiet tabular-nums">
              {found.length === 0
                ? 'none'
                : `${position < 0 ? '–' : formatCount(String(position + 1))} of ${formatCount(String(found.length))}`}
            </output>
            <IconButton icon={moreIcons.chevronUp} label="Previous match" onClick={() => step(-1)} />
            <IconButton icon="chevron-down" label="Next match (Enter)" onClick={() => step(1)} />
          </>
        )}
      </form>
      <Button
        variant="quiet"
        icon="error"
        onClick={() => openFound(findNext(findFailed(tree.nodes), active?.index ?? 0, 1), 'No call failed')}
      >
        Next error
      </Button>
      <Button
        variant="quiet"
        icon="clock"
        title="The call with the most self time"
        onClick={() => openFound(findSlowest(tree.nodes), 'No call has ended')}
      >
        Slowest
      </Button>
      <output className="text-quiet empty:hidden">{note}</output>
      {tree.size > 2 && (
        <IconButton
          icon={isCollapsed ? expandIcon : collapseIcon}
          label={isCollapsed ? 'Expand all calls' : 'Collapse all calls'}
          onClick={isCollapsed ? view.expandAll : view.collapseAll}
        />
      )}
    </div>
  )
}
